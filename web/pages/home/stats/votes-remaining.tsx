import { Hourglass } from 'lucide-react';
import { memo } from 'react';
import { VOTE_WINDOW_HOURS } from '#shared/constants.ts';
import type { VotingStatus } from '#shared/contract/types.ts';
import { ReadNote } from '../../../components/states/read-note.tsx';
import { useIsLive } from '../../../lib/external-store.ts';
import { clockText } from '../../../lib/moment-text.ts';
import { cn } from '../../../ui/class-names.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Countdown } from '../../../voting/countdown.tsx';
import * as styles from '../../../deck/deck.module.css';
import { useLater } from '../../../deck/use-later.ts';
import { useVotingStatus } from '../../../voting/use-voting-status.ts';

function Marks({ status, isOut }: { status: VotingStatus; isOut: boolean }) {
  return (
    <div aria-hidden className="mt-3 flex gap-[3px]">
      {Array.from({ length: status.totalVotesAllowed }, (_, i) => (
        <span
          // oxlint-disable-next-line react/no-array-index-key -- the marks have no other identity
          key={i}
          className={cn(
            'h-2 flex-1 rounded-full transition-colors duration-300',
            isOut ? 'bg-bear/40' : i < status.votesRemaining ? 'bg-muted' : 'bg-line',
          )}
        />
      ))}
    </div>
  );
}

export const VotesRemaining = memo(function VotesRemaining({ userId }: { userId: number }) {
  const { status, phase, failure } = useLater(useVotingStatus(userId), 'idle');
  const isLive = useIsLive();
  if (!status) {
    if (failure) return <ReadNote failure={failure} className="min-h-30 content-center" />;
    return <Skeleton className="h-30 w-full rounded-lg" />;
  }
  const isOut = phase !== 'open';
  return (
    <>
      <div
        data-limit={phase}
        className={cn('min-h-30 transition-colors duration-300', isOut && 'rounded-lg bg-bear-soft p-4 text-bear')}
      >
        <div className="flex items-baseline justify-between gap-3">
          <h3 className="font-sans text-sm font-semibold tracking-normal">Votes remaining</h3>
          <p className="display text-4xl">
            <span key={status.votesRemaining} className={styles.bump}>
              {status.votesRemaining}
            </span>
          </p>
        </div>
        <Marks status={status} isOut={isOut} />
        {isOut && status.periodEndsAt ? (
          <p className="mt-3 flex flex-wrap items-center gap-x-2 text-sm font-semibold">
            <Hourglass aria-hidden size={16} />
            <span>Rate limit reached</span>
            <span className="ms-auto">
              {phase === 'limited' ? 'Next in ' : null}
              <Countdown iso={status.periodEndsAt} />
            </span>
          </p>
        ) : null}
        <dl className={cn('mt-2.5 grid grid-cols-[1fr_auto] gap-x-3 text-sm', !isOut && '[&_dt]:text-muted')}>
          <dt>Limit</dt>
          <dd className="text-end font-semibold">{status.totalVotesAllowed}</dd>
          <dt>Resets at</dt>
          <dd className="text-end font-semibold">
            {status.periodEndsAt ? (
              <time dateTime={status.periodEndsAt}>{isLive ? clockText(status.periodEndsAt) : '\u00a0'}</time>
            ) : (
              <>
                <span aria-hidden>–</span>
                <span className="sr-only">Starts with your next vote, lasts {VOTE_WINDOW_HOURS} hours</span>
              </>
            )}
          </dd>
        </dl>
        {failure ? <ReadNote failure={failure} isStale className="mt-2" /> : null}
      </div>
    </>
  );
});
