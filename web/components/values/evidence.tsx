import { intervalText, verifiedText, type VoteCounts } from '#shared/interval.ts';
import { cn } from '../../ui/class-names.ts';

interface EvidenceProps {
  /** All votes: the sample. */
  votes: VoteCounts;
  /** Those of them that are verified. */
  verified: VoteCounts;
  className?: string;
}

/** What stands behind a percentage (R44): its 95% interval, its sample, and the verified share of it. Nothing without votes. */
export function Evidence({ votes, verified, className }: EvidenceProps) {
  const interval = intervalText(votes);
  if (interval === '') return null;
  return (
    <span data-evidence className={cn('flex flex-wrap gap-x-3 text-sm text-muted', className)}>
      <span title="With 95% confidence the bullish share lies in here">likely {interval}</span>{' '}
      <span title="Votes of wallets that hold something, without those that are excluded">
        {verifiedText(votes, verified)}
      </span>
    </span>
  );
}
