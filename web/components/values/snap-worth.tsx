import { useSiteConfig } from '../../lib/site.ts';

/** What a Snap is worth, and in which coin it is paid: a coin of the same number, without a price of ours. */
export function SnapWorth({ className }: { className?: string }) {
  const coinType = useSiteConfig()?.snapsCoinType;
  return (
    <p className={className}>
      {coinType ? (
        <>
          1 Snap is paid as 1 {coinType.split('::').at(-1)} on Sui, the coin{' '}
          <code className="font-mono wrap-anywhere">{coinType}</code>. Snapswipe sets no price for it.
        </>
      ) : (
        'A Snap has no fixed price. No coin is set for this site: its admin pays withdrawals by hand.'
      )}
    </p>
  );
}
