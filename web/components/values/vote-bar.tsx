import { cn } from '../../ui/class-names.ts';

interface VoteBarProps {
  bullish: number;
  bearish: number;
  isThick?: boolean;
}

export const VoteBar = ({ bullish, bearish, isThick = false }: VoteBarProps) => (
  <div aria-hidden className={cn('flex gap-0.5 overflow-hidden rounded-full bg-raised', isThick ? 'h-2.5' : 'h-2')}>
    {bullish + bearish > 0 ? (
      <>
        <span className="h-full bg-bull" style={{ flexGrow: bullish }} />
        <span className="h-full bg-bear" style={{ flexGrow: bearish }} />
      </>
    ) : null}
  </div>
);
