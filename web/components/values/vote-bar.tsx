import { cn } from '../../ui/class-names.ts';

/** Bullish and bearish shares as one bar. Decorative: the numbers stand beside it. */
export function VoteBar({ bullish, bearish, className }: { bullish: number; bearish: number; className?: string }) {
  const total = bullish + bearish;
  return (
    <div aria-hidden className={cn('flex h-2 gap-0.5 overflow-hidden rounded-full bg-raised', className)}>
      {total > 0 ? (
        <>
          <span className="h-full bg-bull" style={{ flexGrow: bullish }} />
          <span className="h-full bg-bear" style={{ flexGrow: bearish }} />
        </>
      ) : null}
    </div>
  );
}
