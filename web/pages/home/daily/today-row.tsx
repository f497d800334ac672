import { Check } from 'lucide-react';
import { memo } from 'react';
import { cn } from '../../../ui/class-names.ts';
import type { SpotState } from './daily.ts';

const LOOKS: Record<SpotState, string> = {
  open: 'bg-line-strong/60',
  voted: 'bg-accent',
  skipped: 'border-2 border-line-strong',
  gone: 'border-2 border-line',
};

interface TodayRowProps {
  spots: SpotState[];
  done: number;
  isOver: boolean;
}

/** 'Today 3 of 10' with a dot for each card (R49). Always as high as this, so that the stack stays where it is. */
export const TodayRow = memo(function TodayRow({ spots, done, isOver }: TodayRowProps) {
  return (
    <div className="mx-auto mb-1.5 flex h-6 w-full max-w-[26rem] items-center justify-between gap-3 px-1 text-sm font-semibold text-muted">
      {spots.length === 0 ? null : (
        <>
          <p className="flex items-center gap-1.5 whitespace-nowrap">
            {isOver ? <Check aria-hidden size={16} strokeWidth={3} className="text-bull" /> : null}
            <span>
              Today <b className="text-text">{done}</b> of {spots.length}
            </span>
          </p>
          <div aria-hidden data-daily-dots className="flex gap-1.5">
            {spots.map((state, place) => (
              <span
                // oxlint-disable-next-line react/no-array-index-key -- a dot is a place of the deck
                key={place}
                data-spot={state}
                className={cn('size-2.5 rounded-full transition-colors duration-300', LOOKS[state])}
              />
            ))}
          </div>
        </>
      )}
    </div>
  );
});
