import { useMutation } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import type { AdminPayment } from '#shared/contract/payments.ts';
import { formatSui, parseMist } from '#shared/money.ts';
import { isAllowed } from '#shared/states/move.ts';
import { isFeeBack, NAME_SUPERSEDED, PAYMENT_MOVES } from '#shared/states/payment.ts';
import { shortenAddress } from '#shared/text.ts';
import { api } from '../../../lib/api.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { ShowMore, TotalCount } from '../../../components/states/show-more.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { queryClient } from '../../../lib/queries.ts';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useList } from '../../../lib/use-list.ts';
import { adminLists } from '../admin-queries.ts';
import { CsvButton } from '../table/csv-button.tsx';
import { adminRequest, showFailure } from '../admin-session.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

const COLUMNS = [
  'paymentId',
  'createdAt',
  'purpose',
  'projectName',
  'amountMist',
  'receivedMist',
  'state',
  'failure',
  'note',
  'walletAddress',
  'userId',
  'transactionHash',
];

function CreditDialog({ paymentId, onClose }: { paymentId: string; onClose: () => void }) {
  const { mutate, isPending } = useMutation({
    mutationFn: (note: string) =>
      adminRequest((headers) =>
        api.resolvePayment({ params: { id: paymentId }, body: { resolution: 'credited', note }, headers }),
      ),
    onSuccess: () => {
      onClose();
      toast({ title: 'Order completed', variant: 'success' });
    },
    onError: (error) => showFailure('Error', error, 'Failed to settle the payment'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: adminLists.unclaimed().queryKey }),
  });
  return (
    <ReasonDialog
      title="Credit payment"
      description="The order is completed after all. The payer can read your note."
      action="Credit payment"
      busy={isPending ? 'Saving...' : false}
      onClose={onClose}
      onSubmit={mutate}
    />
  );
}

function UnclaimedPayment({ payment }: { payment: AdminPayment }) {
  const [asking, setAsking] = useState<'refund' | 'credit' | null>(null);
  const { paymentId, purpose, projectName, walletAddress, paidBy, createdAt, transactionHash, note, failure, state } =
    payment;
  const amountMist = parseMist(payment.receivedMist ?? payment.amountMist);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p>
          <strong>{formatSui(amountMist)} SUI</strong> · {purpose}
          {projectName ? ` · ${projectName}` : ''}
        </p>
        <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
          <span className="font-mono" title={walletAddress}>
            {shortenAddress(walletAddress)}
          </span>
          <RelativeTime iso={createdAt} />
          {transactionHash ? <Digest digest={transactionHash} /> : null}
        </p>
        {paidBy ? (
          <p className="text-sm break-all text-muted">
            Paid by another wallet. Refund to <span className="font-mono">{paidBy}</span>
          </p>
        ) : null}
        <p className="text-sm text-warn">
          {note} {failure ? <code className="font-mono">({failure})</code> : null}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isAllowed(PAYMENT_MOVES.refund, state) ? (
          <Button variant="secondary" onClick={() => setAsking('refund')}>
            Refunded
          </Button>
        ) : null}
        {isAllowed(PAYMENT_MOVES.credit, state) && failure !== NAME_SUPERSEDED ? (
          <Button variant="secondary" onClick={() => setAsking('credit')}>
            Credit
          </Button>
        ) : null}
      </div>
      {asking === 'refund' ? (
        <RefundDialog
          refund={{
            paymentId,
            amountMist,
            recipient: paidBy ?? walletAddress,
            isVerified: isFeeBack(failure),
          }}
          onClose={() => setAsking(null)}
        />
      ) : null}
      {asking === 'credit' ? <CreditDialog paymentId={paymentId} onClose={() => setAsking(null)} /> : null}
    </li>
  );
}

/** Money that arrived and does not fit its order: the admin decides. */
export function PaymentsTab() {
  const source = adminLists.unclaimed();
  const { rows, error, retry, isRetrying, more } = useList(source, { noun: 'payments' });
  return (
    <Card aria-labelledby="unclaimed">
      <CardTitle id="unclaimed" aside={<TotalCount total={rows && more.total} />}>
        Payments to settle
      </CardTitle>
      {error ? <ErrorState error={error} onRetry={retry} retrying={isRetrying} /> : null}
      {!rows && !error ? <Skeleton className="h-44 w-full" /> : null}
      {rows?.length === 0 ? (
        <EmptyState icon={<HandCoins size={28} />} title="Nothing to settle">
          Every payment that arrived has been fulfilled.
        </EmptyState>
      ) : null}
      <ul className="divide-y divide-line">
        {rows?.map((payment) => (
          <UnclaimedPayment key={payment.paymentId} payment={payment} />
        ))}
      </ul>
      {rows && rows.length > 0 ? (
        <div className="mt-4 grid gap-4">
          <ShowMore more={more} noun="payments" />
          <CsvButton name="Payments to settle" columns={COLUMNS} source={source} />
        </div>
      ) : null}
    </Card>
  );
}
