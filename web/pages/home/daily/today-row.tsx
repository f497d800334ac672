import { Check } from 'lucide-react';
import { memo } from 'react';
import { cn } from '../../../ui/class-names.ts';
import { AllowanceLine } from '../../../voting/allowance-line.tsx';
import type { VoteAllowance } from '../../../voting/use-voting-status.ts';
import type { SpotState } from './daily.ts';

const LOOKS: Record<SpotState, string> = {
  open: 'bg-line-strong/60',
  voted: 'bg-accent',
  skipped: 'border border-line-strong',
  gone: 'border border-line',
};

interface TodayRowProps {
  spots: SpotState[];
  done: number;
  isOver: boolean;
  isEnded: boolean;
  allowance: VoteAllowance;
}

export const TodayRow = memo(function TodayRow({ spots, done, isOver, isEnded, allowance }: TodayRowProps) {
  const today =
    spots.length === 0 ? null : (
      <span className="flex items-center gap-1.5">
        {isOver ? <Check aria-hidden size={16} strokeWidth={3} className="text-bull" /> : null}
        <span>
          <b className="text-text">{done}</b> of {spots.length} today
        </span>
      </span>
    );
  return (
    <div data-today className="mx-auto mb-1.5 grid min-h-7.5 w-full max-w-(--deck-width) content-between px-1">
      <div className="flex items-center">
        {isEnded ? (
          <p className="flex h-6 items-center text-sm text-muted">Sign in again to vote</p>
        ) : (
          <AllowanceLine allowance={allowance} before={today} />
        )}
      </div>
      <div aria-hidden className="flex gap-1">
        {spots.map((state, place) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- a mark is a place of the deck
            key={place}
            data-spot={state}
            className={cn('h-1 flex-1 rounded-full transition-colors duration-300', LOOKS[state])}
          />
        ))}
      </div>
    </div>
  );
});
