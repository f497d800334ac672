import { wilsonInterval } from '#shared/numbers/interval.ts';
import { cn } from '../../ui/class-names.ts';

interface VoteBarProps {
  bullish: number;
  bearish: number;
  hasInterval?: boolean;
}

export function VoteBar({ bullish, bearish, hasInterval = false }: VoteBarProps) {
  const total = bullish + bearish;
  const { low, high } = wilsonInterval({ bullish, bearish });
  return (
    <div aria-hidden className="grid gap-0.5">
      <div className={cn('flex gap-0.5 overflow-hidden rounded-full bg-raised', hasInterval ? 'h-2.5' : 'h-2')}>
        {total > 0 ? (
          <>
            <span className="h-full bg-bull" style={{ flexGrow: bullish }} />
            <span className="h-full bg-bear" style={{ flexGrow: bearish }} />
          </>
        ) : null}
      </div>
      {total > 0 && hasInterval ? (
        <span
          className="h-1.5 rounded-b-sm border-2 border-t-0 border-faint"
          style={{ marginInline: `${low * 100}% ${(1 - high) * 100}%` }}
        />
      ) : null}
    </div>
  );
}
