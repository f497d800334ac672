import { useSiteConfig } from '../../lib/site.ts';

export function SnapWorth({ className }: { className?: string }) {
  const coinType = useSiteConfig()?.snapsCoinType;
  return (
    <div className={className}>
      {coinType ? (
        <>
          <p>1 Snap = 1 {coinType.split('::').at(-1)} on Sui. It has no set price.</p>
          <details>
            <summary className="inline-flex min-h-11 items-center text-link underline underline-offset-4">
              Which coin
            </summary>
            <code className="font-mono text-sm wrap-anywhere">{coinType}</code>
          </details>
        </>
      ) : (
        <p>This site has no payout coin yet. The team decides what a payout is and when.</p>
      )}
    </div>
  );
}
