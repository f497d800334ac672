import { Name } from '../../../components/values/name.tsx';
import type { OutgoingTransfer, TransferCause } from '#shared/contract/payout-history.ts';
import { mayCall } from '#shared/roles.ts';
import { plural } from '#shared/plural.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore } from '../../../components/states/show-more.tsx';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { useSession } from '../../../lib/session.ts';
import { useList } from '../../../lib/use-list.ts';
import { Act } from '../act.tsx';
import { adminLists, TOUCHED } from '../admin-queries.ts';
import { Address, Row } from '../row.tsx';

const CAUSES: Record<TransferCause, string> = {
  unknown_wallet:
    'No user has this wallet. If it pays withdrawals too, give it the role of a payer first: its own payouts are read then.',
  no_withdrawal_amount: 'No withdrawal can have this amount.',
  balance_too_low: 'The balance of this user is lower than that.',
  not_requested: 'This user has the balance for it, and no such withdrawal.',
  on_its_way: 'A payout that may pay the same has no result yet. It is decided within a day, without you.',
};

const DECISIONS = {
  withdrawal: {
    word: 'Record as withdrawal',
    variant: 'primary',
    ask: {
      title: 'Record as a withdrawal',
      description: 'It paid a withdrawal that the books have lost. The Snaps leave the balance of the user.',
      action: 'Record withdrawal',
    },
    done: { title: 'Withdrawal recorded' },
  },
  explained: {
    word: 'Not a payout',
    variant: 'secondary',
    ask: {
      title: 'Not a payout',
      description: 'This transfer paid no withdrawal. Your reason goes to the audit log; no balance changes.',
      action: 'Not a payout',
    },
    done: { title: 'Transfer marked as not a payout' },
  },
} as const;

function Acts({ transfer: { id, cause } }: { transfer: OutgoingTransfer }) {
  const { user } = useSession();
  if (cause === 'on_its_way' || !user?.role || !mayCall(user.role, 'decideTransfers')) return null;
  const decisions = cause === 'not_requested' ? (['withdrawal', 'explained'] as const) : (['explained'] as const);
  return decisions.map((as) => (
    <Act
      key={as}
      {...DECISIONS[as]}
      call={(headers, reason) => api.decideTransfers({ body: { ids: [id], as, reason }, headers })}
      failed="Failed to decide about the transfer"
      refresh={TOUCHED.payouts}
    />
  ));
}

function Transfer({ transfer }: { transfer: OutgoingTransfer }) {
  const { tokenAmount, amountUnits, recipient, username, executedAt, digest, cause } = transfer;
  return (
    <Row acts={<Acts transfer={transfer} />}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong>{tokenAmount === null ? `${amountUnits} units` : plural(tokenAmount, 'Snap')}</strong>
        {username ? (
          <span className="font-semibold">
            <Name>{username}</Name>
          </span>
        ) : null}
        <span className="text-sm text-muted">
          <Address of={recipient} />
        </span>
        <RelativeTime iso={executedAt} className="text-sm text-faint" />
        <Digest digest={digest} />
      </p>
      {cause ? <p className="text-sm text-warn">{CAUSES[cause]}</p> : null}
    </Row>
  );
}

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
