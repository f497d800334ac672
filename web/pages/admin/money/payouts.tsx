import { FileCheck, Send, X } from 'lucide-react';
import { useState } from 'react';
import type { PayoutBatch } from '#shared/contract/admin.ts';
import { shortenAddress } from '#shared/text.ts';
import { plural } from '#shared/plural.ts';
import { isAllowed } from '#shared/states/move.ts';
import { PAYOUT_MOVES } from '#shared/states/payout.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { useSessionUser } from '../../../lib/session.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { useAct } from '../act.tsx';
import { adminLists, pollPayouts, TOUCHED } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { Address } from '../row.tsx';
import { cancelPayout, payBatch, payoutToast, recordPayout } from './payout.ts';

const LOOKS: Record<PayoutBatch['state'], [label: string, tone: BadgeTone]> = {
  prepared: ['Prepared', 'warn'],
  sent: ['On its way', 'accent'],
  paid: ['Paid', 'bull'],
  failed: ['Failed', 'bear'],
  cancelled: ['Cancelled', 'neutral'],
};

function usePayoutAct<In = void>(batchId: string, call: (input: In) => Promise<PayoutBatch>) {
  return useAct<PayoutBatch, In>({
    call: (_headers, input) => call(input),
    done: payoutToast,
    failedTitle: 'Payout failed',
    failed: `Payout ${batchId} could not be changed`,
    refresh: TOUCHED.payouts,
  });
}

function OpenBatch({ batch, isOwn }: { batch: PayoutBatch; isOwn: boolean }) {
  const [digest, setDigest] = useState('');
  const pay = usePayoutAct(batch.batchId, () => payBatch(batch));
  const cancel = usePayoutAct(batch.batchId, () => cancelPayout(batch));
  const record = usePayoutAct(batch.batchId, (text: string) => recordPayout(batch, text));
  const isBusy = pay.isPending || cancel.isPending || record.isPending;
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap gap-2">
        {batch.coinType === null || !isOwn ? null : (
          <Button disabled={isBusy} busy={pay.isPending ? 'Paying...' : false} onClick={() => pay.mutate()}>
            <Send aria-hidden size={18} />
            Pay now
          </Button>
        )}
        <Button variant="secondary" disabled={isBusy} onClick={() => cancel.mutate()}>
          <X aria-hidden size={18} />
          Cancel payout
        </Button>
      </div>
      {isOwn ? null : (
        <p className="text-sm text-muted">
          Only the wallet that prepared it can sign it. To pay from yours, cancel it and pay its withdrawals again.
        </p>
      )}
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (digest.trim() !== '') record.mutate(digest.trim());
        }}
      >
        <Field
          className="min-w-0 flex-1 basis-72"
          label="Paid by other means? Digest of the transaction"
          hint={batch.coinType === null ? 'No coin is configured: the digest is recorded, not verified.' : undefined}
        >
          {(control) => (
            <Input
              {...control}
              className="font-mono"
              value={digest}
              onChange={(event) => setDigest(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="secondary" disabled={isBusy || digest.trim() === ''}>
          <FileCheck aria-hidden size={18} />
          Record digest
        </Button>
      </form>
    </div>
  );
}

function Recipients({ batch: { recipients, state } }: { batch: PayoutBatch }) {
  return (
    <details open={state === 'prepared'} className="rounded-lg border border-line">
      <summary className="min-h-11 cursor-pointer content-center px-4 text-sm font-semibold text-muted">
        Wallets and amounts
      </summary>
      <ul className="max-h-56 divide-y divide-line overflow-y-auto border-t border-line text-sm">
        {recipients.map(({ withdrawalId, walletAddress, tokenAmount }) => (
          <li key={withdrawalId} className="flex flex-wrap justify-between gap-x-4 px-4 py-2">
            <span>
              #{withdrawalId} <Address of={walletAddress} />
            </span>
            <span className="font-semibold">{tokenAmount.toLocaleString()} Snaps</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const COLUMNS = [
  'batchId',
  'state',
  'createdAt',
  'withdrawalId',
  'walletAddress',
  'tokenAmount',
  'amountUnits',
  'coinType',
  'sender',
  'digest',
  'note',
];

const toRows = ({ recipients, ...batch }: PayoutBatch) => recipients.map((recipient) => ({ ...batch, ...recipient }));

function Batch({ batch }: { batch: PayoutBatch }) {
  const [label, tone] = LOOKS[batch.state];
  const tokens = batch.recipients.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0);
  const people = batch.recipients.length;
  const { sender } = batch;
  const ownWallet = useSessionUser()?.walletAddress;
  const isOwn = sender === null || sender === ownWallet;
  return (
    <li className="grid grid-cols-1 gap-3 py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="font-semibold">
          {plural(tokens, 'Snap')}, {plural(people, 'withdrawal')}
        </span>
        <RelativeTime iso={batch.createdAt} className="text-sm text-faint" />
        {batch.digest ? <Digest digest={batch.digest} /> : null}
        {isOwn || sender === null ? null : (
          <span className="text-sm text-muted" title={sender}>
            by {shortenAddress(sender)}
          </span>
        )}
      </p>
      {people > 0 ? <Recipients batch={batch} /> : null}
      {batch.note ? <p className="text-sm text-warn">{batch.note}</p> : null}
      {isAllowed(PAYOUT_MOVES.send, batch.state) ? <OpenBatch batch={batch} isOwn={isOwn} /> : null}
    </li>
  );
}

export const Payouts = () => (
  <Queue
    title="Payouts"
    noun="payouts"
    source={adminLists.payouts()}
    poll={pollPayouts}
    csv={{ columns: COLUMNS, toRows, pageSize: 100 }}
    renderRow={(batch) => <Batch key={batch.batchId} batch={batch} />}
  />
);
