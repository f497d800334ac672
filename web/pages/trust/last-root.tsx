import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RecordCheckpoint, RecordSummary } from '#shared/contract/record.ts';
import { dayText } from '#shared/text/day-text.ts';
import { plural } from '#shared/numbers/plural.ts';
import { Digest } from '../../components/values/digest.tsx';
import { RelativeTime } from '../../components/values/relative-time.tsx';
import { external, safeLink } from '../../lib/paths.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { Fold } from '../../ui/fold.tsx';

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1 py-3 sm:grid-cols-[12rem_minmax(0,1fr)] sm:gap-4">
      <dt className="font-semibold">{label}</dt>
      <dd className="min-w-0 wrap-anywhere text-muted">{children}</dd>
    </div>
  );
}

function AnchorAddress({ address }: { address: string }) {
  const explorer = safeLink(useSiteConfig()?.explorerUrl);
  const code = <code className="font-mono text-sm">{address}</code>;
  if (!explorer) return code;
  return (
    <a
      href={`${explorer.replace(/\/+$/, '')}/account/${address}`}
      {...external}
      className="text-link underline underline-offset-4"
    >
      {code} <ExternalLink aria-hidden size={14} className="inline" />
      <span className="sr-only">(opens the explorer in a new tab)</span>
    </a>
  );
}

function AnchorLine({ checkpoint, sender }: { checkpoint: RecordCheckpoint; sender: string | null }) {
  const { anchorState, anchorDigest, anchorAddress } = checkpoint;
  if (anchorState === 'anchored' && anchorDigest)
    return (
      <>
        On Sui: 1 MIST was sent to the address below, in transaction <Digest digest={anchorDigest} />
        <br />
        <AnchorAddress address={anchorAddress} />
      </>
    );
  if (sender === null) return <>Signed only. This server has no wallet to store it on Sui with.</>;
  return (
    <>
      On its way to Sui. Its address there is <AnchorAddress address={anchorAddress} />
    </>
  );
}

function Checkpoint({ checkpoint, record }: { checkpoint: RecordCheckpoint; record: RecordSummary }) {
  return (
    <dl className="divide-y divide-line">
      <Line label="Published">
        {plural(checkpoint.size, 'entry', 'entries')}, up to {dayText(checkpoint.day)},{' '}
        <RelativeTime iso={checkpoint.createdAt} />
      </Line>
      <Line label="The number">
        <code className="font-mono text-sm">{checkpoint.root}</code>
      </Line>
      <Line label="On Sui">
        <AnchorLine checkpoint={checkpoint} sender={record.anchorSender} />
      </Line>
      <Line label="Signed by">
        <code className="font-mono text-sm">{record.verifierKey}</code>
      </Line>
      <Line label="Files">
        <a href="/log/checkpoint" className="text-link underline underline-offset-4">
          /log/checkpoint
        </a>{' '}
        and the tiles under /log/tile/; the newest checkpoints at{' '}
        <a href="/api/record" className="text-link underline underline-offset-4">
          /api/record
        </a>
      </Line>
    </dl>
  );
}

export function LastRoot({ record }: { record: RecordSummary }) {
  const [newest] = record.checkpoints;
  return (
    <Fold id="seal" title="The public record">
      {newest ? <Checkpoint checkpoint={newest} record={record} /> : null}
      {!newest && record.isPublished ? (
        <p className="text-muted">Nothing is published yet. The first day follows shortly after midnight UTC.</p>
      ) : null}
      {!newest && !record.isPublished ? (
        <p className="text-muted">
          This server publishes no record, because it has no key to sign one with. Nobody else can check its figures.
        </p>
      ) : null}
    </Fold>
  );
}
