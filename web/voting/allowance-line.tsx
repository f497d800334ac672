import { Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import type { VotingStatus } from '#shared/contract/types.ts';
import { plural } from '#shared/numbers/plural.ts';
import { ReadNote } from '../components/states/read-note.tsx';
import { useIsLive } from '../lib/external-store.ts';
import { clockText } from '../lib/moment-text.ts';
import { cn } from '../ui/class-names.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Countdown } from './countdown.tsx';
import type { VoteAllowance } from './use-voting-status.ts';

function VotesLeft({ status: { votesRemaining, periodEndsAt } }: { status: VotingStatus }) {
  // The server does not know the visitor's time zone.
  const isLive = useIsLive();
  if (periodEndsAt === null || !isLive) return <>{plural(votesRemaining, 'vote')} left</>;
  return (
    <>
      {plural(votesRemaining, 'vote')} until{' '}
      <time dateTime={periodEndsAt} className="tabular-nums">
        {clockText(periodEndsAt)}
      </time>
    </>
  );
}

interface AllowanceLineProps {
  allowance: VoteAllowance;
  /** Above it. */
  before?: ReactNode;
}

const SHORT = 'leading-4 max-[24rem]:text-xs';

export function AllowanceLine({ allowance: { status, phase, failure }, before }: AllowanceLineProps) {
  if (!status && failure) return <ReadNote failure={failure} className="-my-2.5 justify-center" />;
  if (!status) return <Skeleton className="my-0.5 h-5 w-36" />;
  if (phase === 'open') {
    return (
      <p className={cn('text-sm font-semibold text-muted', before ? SHORT : 'min-h-6 content-center')}>
        {before}
        <span className="block">
          <VotesLeft status={status} />
        </span>
      </p>
    );
  }
  return (
    <p
      className={cn(
        'text-sm font-semibold text-bear',
        before ? SHORT : 'flex h-6 items-center gap-1.5 rounded-full bg-bear-soft px-3',
      )}
    >
      {before ? null : <Hourglass aria-hidden size={15} />}
      <span className="block">Rate limit reached</span>
      {before ? null : <span aria-hidden>·</span>}
      {status.periodEndsAt ? <Countdown iso={status.periodEndsAt} /> : null}
    </p>
  );
}
