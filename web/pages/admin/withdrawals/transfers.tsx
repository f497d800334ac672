import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { OutgoingTransfer, TransferCause } from '#shared/contract/payout-history.ts';
import { mayCall } from '#shared/roles.ts';
import { plural } from '#shared/plural.ts';
import { shortenAddress } from '#shared/text.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore } from '../../../components/states/show-more.tsx';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { toast } from '../../../lib/toast.ts';
import { useSession } from '../../../lib/session.ts';
import { useList } from '../../../lib/use-list.ts';
import { Button } from '../../../ui/button.tsx';
import { adminLists, refreshQueue } from '../admin-queries.ts';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';

const CAUSES: Record<TransferCause, string> = {
  unknown_wallet:
    'No user has this wallet. If it pays withdrawals too, give it the role of a payer first: its own payouts are read then.',
  no_withdrawal_amount: 'No withdrawal can have this amount.',
  balance_too_low: 'The balance of this user is lower than that.',
  not_requested: 'This user has the balance for it, and no such withdrawal.',
  on_its_way: 'A payout that may pay the same has no result yet. It is decided within a day, without you.',
};

type Decision = 'explained' | 'withdrawal';
const DIALOGS: Record<Decision, { title: string; description: string; action: string; done: string }> = {
  explained: {
    title: 'Not a payout',
    description: 'This transfer paid no withdrawal. Your reason goes to the audit log; no balance changes.',
    action: 'Not a payout',
    done: 'Transfer marked as not a payout',
  },
  withdrawal: {
    title: 'Record as a withdrawal',
    description: 'It paid a withdrawal that the books have lost. The Snaps leave the balance of the user.',
    action: 'Record withdrawal',
    done: 'Withdrawal recorded',
  },
};

function Facts({ transfer }: { transfer: OutgoingTransfer }) {
  const { tokenAmount, amountUnits, recipient, username, executedAt, digest, cause } = transfer;
  return (
    <div className="grid min-w-0 flex-1 basis-64 gap-1">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong>{tokenAmount === null ? `${amountUnits} units` : plural(tokenAmount, 'Snap')}</strong>
        {username ? <span className="font-semibold">{username}</span> : null}
        <span className="font-mono text-sm text-muted" title={recipient}>
          {shortenAddress(recipient)}
        </span>
        <RelativeTime iso={executedAt} className="text-sm text-faint" />
        <Digest digest={digest} />
      </p>
      {cause ? <p className="text-sm text-warn">{CAUSES[cause]}</p> : null}
    </div>
  );
}

function Transfer({ transfer }: { transfer: OutgoingTransfer }) {
  const { user } = useSession();
  const [asking, setAsking] = useState<Decision | null>(null);
  const { id, cause } = transfer;
  const { mutate, isPending } = useMutation({
    mutationFn: ({ as, reason }: { as: Decision; reason: string }) =>
      adminRequest((headers) => api.decideTransfers({ body: { ids: [id], as, reason }, headers })),
    onSuccess: (_done, { as }) => {
      setAsking(null);
      toast({ title: DIALOGS[as].done, variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to decide about the transfer'),
    onSettled: refreshQueue,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 last:pb-0">
      <Facts transfer={transfer} />
      {cause === 'on_its_way' || !user?.role || !mayCall(user.role, 'decideTransfers') ? null : (
        <div className="flex flex-wrap gap-2">
          {cause === 'not_requested' ? (
            <Button onClick={() => setAsking('withdrawal')}>Record as withdrawal</Button>
          ) : null}
          <Button variant="secondary" onClick={() => setAsking('explained')}>
            Not a payout
          </Button>
        </div>
      )}
      {asking ? (
        <ReasonDialog
          title={DIALOGS[asking].title}
          description={DIALOGS[asking].description}
          action={DIALOGS[asking].action}
          busy={isPending ? 'Saving...' : false}
          onClose={() => setAsking(null)}
          onSubmit={(reason) => mutate({ as: asking, reason })}
        />
      ) : null}
    </li>
  );
}

/** Transfers of the paying wallets that the books cannot explain: payouts wait until the owner does. */
export function Transfers() {
  const { rows, error, retry, isRetrying, more } = useList(adminLists.transfers(), { noun: 'transfers' });
  return (
    <section aria-labelledby="transfers" className="mt-6">
      <h3 id="transfers" className="font-semibold">
        Unknown transfers
      </h3>
      <p className="text-sm text-muted">
        No withdrawal matches these transfers. Payouts wait until the owner has decided about each of them.
      </p>
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      <ul className="divide-y divide-line">
        {rows?.map((transfer) => (
          <Transfer key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      <ShowMore more={more} noun="transfers" />
    </section>
  );
}
