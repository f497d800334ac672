import { isolated } from '#shared/text/isolated.ts';
import { HandCoins } from 'lucide-react';
import type { AdminPayment } from '#shared/contract/payments.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { isAllowed } from '#shared/states/move.ts';
import { PAYMENT_MOVES } from '#shared/states/payment.ts';
import { Digest } from '../../../components/values/digest.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { Act } from '../act.tsx';
import { adminList } from '../admin-queries.ts';
import { Queue } from '../queue.tsx';
import { Address, Row } from '../row.tsx';
import { RefundButton } from './refund-button.tsx';

const amountOf = ({ receivedMist, amountMist }: AdminPayment): bigint => parseMist(receivedMist ?? amountMist);

function Acts({ payment }: { payment: AdminPayment }) {
  const { paymentId, walletAddress, paidBy, state } = payment;
  const refund = { paymentId, amountMist: amountOf(payment), recipient: paidBy ?? walletAddress, isVerified: false };
  return (
    <>
      {isAllowed(PAYMENT_MOVES.refund, state) ? <RefundButton refund={refund} word="Refunded" /> : null}
      <Act
        word="Credit"
        when={isAllowed(PAYMENT_MOVES.credit, state)}
        ask={{
          title: 'Credit payment',
          description: 'The order is completed after all. The payer can read your note.',
          action: 'Credit payment',
        }}
        call={(headers, note) =>
          api.resolvePayment({ params: { id: paymentId }, body: { resolution: 'credited', note }, headers })
        }
        done={{ title: 'Order completed' }}
        failed="Failed to settle the payment"
      />
    </>
  );
}

function UnclaimedPayment({ payment }: { payment: AdminPayment }) {
  const { purpose, projectName, walletAddress, paidBy, createdAt, transactionHash, note, failure } = payment;
  return (
    <Row acts={<Acts payment={payment} />}>
      <p>
        <strong>{formatSui(amountOf(payment))} SUI</strong> · {purpose}
        {projectName ? ` · ${isolated(projectName)}` : ''}
      </p>
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
        <Address of={walletAddress} />
        <RelativeTime iso={createdAt} />
        {transactionHash ? <Digest digest={transactionHash} /> : null}
      </p>
      {paidBy ? (
        <p className="text-sm break-all text-muted">
          Paid by another wallet. Refund to <span className="font-mono">{paidBy}</span>
        </p>
      ) : null}
      <p className="text-sm text-text">
        {note} {failure ? <code className="font-mono">({failure})</code> : null}
      </p>
    </Row>
  );
}

export const PaymentsTab = () => (
  <Queue
    title="Payments to settle"
    noun="payments"
    source={adminList('listAllPayments', { state: 'unclaimed' })}
    empty={{
      Icon: HandCoins,
      title: 'Nothing to settle',
      text: 'Every payment that arrived has been fulfilled.',
    }}
    csv={{}}
    renderRow={(payment) => <UnclaimedPayment key={payment.paymentId} payment={payment} />}
  />
);
