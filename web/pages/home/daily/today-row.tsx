import { memo } from 'react';
import { TicketCard } from '../../../components/ticket/ticket-card.tsx';
import { AllowanceLine } from '../../../voting/allowance-line.tsx';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import type { Spot } from './daily.ts';
import * as styles from './daily.module.css';

interface TodayRowProps {
  spots: Spot[];
  done: number;
  isEnded: boolean;
  allowance: VoteAllowance;
}

/** The strip of the day (R98): its cards in the order of the votes. */
export const TodayRow = memo(function TodayRow({ spots, done, isEnded, allowance }: TodayRowProps) {
  const today =
    spots.length === 0 ? null : (
      <span className="block">
        <b className="text-text">{done}</b> of {spots.length} today
      </span>
    );
  return (
    <div
      data-today
      className="mx-auto mb-1 flex min-h-8 w-full max-w-(--deck-width) flex-wrap items-center justify-between gap-x-3 gap-y-1 px-1"
    >
      <div aria-hidden className="flex min-w-0 flex-[1_1_7.5rem] gap-0.75 empty:hidden">
        {spots.map(({ projectId, state, face }) => (
          <span key={projectId} data-spot={state} className="max-w-6 min-w-0 flex-1">
            <TicketCard key={state} face={face} width={24} eager className={face ? styles.stamped : ''} />
          </span>
        ))}
      </div>
      {isEnded ? (
        <p className="text-sm text-muted">Sign in again to vote</p>
      ) : (
        <AllowanceLine allowance={allowance} before={today} />
      )}
    </div>
  );
});
