import { wilsonInterval } from '#shared/numbers/interval.ts';
import { cn } from '../../ui/class-names.ts';

interface VoteBarProps {
  bullish: number;
  bearish: number;
  hasInterval?: boolean;
  className?: string;
}

export function VoteBar({ bullish, bearish, hasInterval = false, className }: VoteBarProps) {
  const total = bullish + bearish;
  const { low, high } = wilsonInterval({ bullish, bearish });
  return (
    <div aria-hidden className={cn('relative flex h-2 gap-0.5 overflow-hidden rounded-full bg-raised', className)}>
      {total > 0 ? (
        <>
          <span className="h-full bg-bull" style={{ flexGrow: bullish }} />
          <span className="h-full bg-bear" style={{ flexGrow: bearish }} />
        </>
      ) : null}
      {total > 0 && hasInterval ? (
        <span
          className="absolute inset-y-0 border-x-2 border-text bg-text/35"
          style={{ left: `${low * 100}%`, right: `${(1 - high) * 100}%` }}
        />
      ) : null}
    </div>
  );
}
