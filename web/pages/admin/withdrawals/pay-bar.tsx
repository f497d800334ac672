import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { PAYOUT_MAX_RECIPIENTS } from '#shared/constants.ts';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import { shortenAddress } from '#shared/text.ts';
import { useSiteConfig } from '../../../lib/site.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { refreshQueue } from '../admin-queries.ts';
import { showFailure } from '../admin-session.ts';
import { payBatch, preparePayout } from './payout.ts';
import { showPayout } from './payout-toast.ts';

async function payThem(withdrawalIds: number[]): Promise<void> {
  const batch = await preparePayout(withdrawalIds);
  if (batch.coinType === null) {
    toast({ title: 'Payout prepared', description: 'Pay by hand and record the digest below.', variant: 'success' });
    return;
  }
  showPayout(await payBatch(batch));
}

interface PayBarProps {
  /** Approved ones, as many as a transaction can pay. */
  withdrawals: readonly AdminWithdrawal[];
  /** All that are approved; null when there are too many to count. */
  total: number | null;
}

/** Chooses among the approved ones and pays them in one transaction (R33). */
export function PayBar({ withdrawals, total }: PayBarProps) {
  const hasCoin = (useSiteConfig()?.snapsCoinType ?? null) !== null;
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const chosen = withdrawals.filter(({ id }) => !left.has(id));
  const tokens = chosen.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0);
  const { mutate, isPending } = useMutation({
    mutationFn: () => payThem(chosen.map(({ id }) => id)),
    onError: (error) => showFailure('Payout failed', error, 'The payout could not be sent'),
    onSettled: refreshQueue,
  });
  function toggle(id: number): void {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  }
  return (
    <fieldset disabled={isPending} className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-raised p-4">
      <legend className="sr-only">Pay in one transaction</legend>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong>{chosen.length}</strong> of {(total ?? withdrawals.length).toLocaleString()} chosen,{' '}
          <strong>{tokens.toLocaleString()}</strong> tokens
        </p>
        <Button disabled={chosen.length === 0} busy={isPending ? 'Paying...' : false} onClick={() => mutate()}>
          <Send aria-hidden size={18} />
          {hasCoin ? `Pay ${chosen.length} in one transaction` : `Prepare payout of ${chosen.length}`}
        </Button>
      </div>
      {withdrawals.length === total ? null : (
        <p className="text-sm text-muted">
          One transaction pays {PAYOUT_MAX_RECIPIENTS} at most: these have waited longest, the others come next.
        </p>
      )}
      {hasCoin ? null : (
        <p className="text-sm text-warn">
          No payout coin is configured (SNAPS_COIN_TYPE): pay by hand, then record the digest of your transaction. It
          cannot be verified on chain.
        </p>
      )}
      <ul className="flex max-h-72 flex-wrap gap-2 overflow-y-auto p-1">
        {withdrawals.map(({ id, tokenAmount, walletAddress, username }) => (
          <li key={id}>
            <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-2xl border border-line bg-surface px-4 py-2 has-checked:border-accent has-focus-visible:outline-3 has-focus-visible:outline-accent">
              <input type="checkbox" className="size-5" checked={!left.has(id)} onChange={() => toggle(id)} />
              <span className="text-sm">
                #{id} {username ? <span className="font-semibold">{username}</span> : null}{' '}
                <span className="whitespace-nowrap">
                  <span className="font-mono" title={walletAddress}>
                    {shortenAddress(walletAddress)}
                  </span>{' '}
                  · {tokenAmount.toLocaleString()} tokens
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
