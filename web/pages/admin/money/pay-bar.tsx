import { Name } from '../../../components/values/name.tsx';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { PAYOUT_MAX_RECIPIENTS } from '#shared/constants.ts';
import type { AdminWithdrawal } from '#shared/contract/admin.ts';
import { voterStateLabel } from '../../../components/values/voter-state.tsx';
import { useSiteConfig } from '../../../lib/site.ts';
import { Button } from '../../../ui/button.tsx';
import { useAct } from '../act.tsx';
import { Address } from '../row.tsx';
import { ByHand } from './by-hand.tsx';
import { payOut } from './payout.ts';

function Payee({ withdrawal }: { withdrawal: AdminWithdrawal }) {
  const { id, tokenAmount, walletAddress, username, risk, refusedReason } = withdrawal;
  return (
    <span className="text-sm">
      #{id}{' '}
      {username ? (
        <span className="font-semibold">
          <Name>{username}</Name>
        </span>
      ) : null}{' '}
      <span className="whitespace-nowrap">
        <Address of={walletAddress} /> · {tokenAmount.toLocaleString()} Snaps
      </span>{' '}
      {refusedReason === null ? null : <span className="font-semibold text-text">· refused by the chain</span>}{' '}
      {risk.standing === 'standing' ? null : (
        <span className="font-semibold text-text">· {voterStateLabel(risk.standing)}</span>
      )}
    </span>
  );
}

interface PayBarProps {
  withdrawals: readonly AdminWithdrawal[];
  total: number | null;
}

export function PayBar({ withdrawals, total }: PayBarProps) {
  const hasCoin = (useSiteConfig()?.snapsCoinType ?? null) !== null;
  // Wallets with standing are paid, others and refused ones are not, unless the admin has changed that.
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set());
  const isUsual = ({ risk, refusedReason }: AdminWithdrawal) => risk.standing === 'standing' && refusedReason === null;
  const isChosen = (one: AdminWithdrawal) => isUsual(one) !== changed.has(one.id);
  const chosen = withdrawals.filter(isChosen);
  const tokens = chosen.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0);
  const { mutate, isPending } = useAct({
    call: () => payOut(chosen.map(({ id }) => id)),
    done: (words) => words,
    failedTitle: 'Payout failed',
    failed: 'The payout could not be sent',
  });
  function toggle(id: number): void {
    const next = new Set(changed);
    if (!next.delete(id)) next.add(id);
    setChanged(next);
  }
  return (
    <fieldset disabled={isPending} className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-raised p-4">
      <legend className="sr-only">Pay in one transaction</legend>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <strong>{chosen.length}</strong> of {(total ?? withdrawals.length).toLocaleString()} chosen,{' '}
          <strong>{tokens.toLocaleString()}</strong> Snaps
        </p>
        {hasCoin ? (
          <Button disabled={chosen.length === 0} busy={isPending ? 'Paying...' : false} onClick={() => mutate()}>
            <Send aria-hidden size={18} />
            {`Pay ${chosen.length} in one transaction`}
          </Button>
        ) : null}
      </div>
      {withdrawals.length === total ? null : (
        <p className="text-sm text-muted">
          One transaction pays {PAYOUT_MAX_RECIPIENTS} at most: these have waited longest, the others come next.
        </p>
      )}
      {hasCoin ? null : <ByHand withdrawalIds={chosen.map(({ id }) => id)} />}
      <ul className="flex max-h-72 flex-wrap gap-2 overflow-y-auto p-1">
        {withdrawals.map((withdrawal) => (
          <li key={withdrawal.id}>
            <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-2xl border border-line bg-surface px-4 py-2 has-checked:border-accent has-focus-visible:outline-3 has-focus-visible:outline-accent">
              <input
                type="checkbox"
                className="size-5"
                checked={isChosen(withdrawal)}
                onChange={() => toggle(withdrawal.id)}
              />
              <Payee withdrawal={withdrawal} />
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
