import { Hourglass } from 'lucide-react';
import { ReadNote } from '../components/states/read-note.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Countdown } from './countdown.tsx';
import type { VoteAllowance } from './use-voting-status.ts';

/** One line, always as high as this: votes left, or the limit with its countdown. */
export function AllowanceLine({ allowance: { status, phase, failure } }: { allowance: VoteAllowance }) {
  if (!status && failure) return <ReadNote failure={failure} className="-my-2 justify-center" />;
  if (!status) return <Skeleton className="my-1 h-5 w-36" />;
  if (phase === 'open') {
    return (
      <p className="flex h-7 items-center text-sm font-semibold text-muted">
        {status.votesRemaining} of {status.totalVotesAllowed} votes left
      </p>
    );
  }
  return (
    <p className="flex h-7 items-center gap-1.5 rounded-full bg-bear-soft px-3 text-sm font-semibold text-bear">
      <Hourglass aria-hidden size={15} />
      Rate limit reached
      <span aria-hidden>·</span>
      {status.periodEndsAt ? <Countdown iso={status.periodEndsAt} /> : null}
    </p>
  );
}
