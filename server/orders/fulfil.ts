import { lockPayment } from '../payments/queries.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { explainUnclaimed, transition } from '../payments/transitions.ts';
import { markUnclaimed } from '../payments/unclaimed.ts';
import type { Services } from '../services.ts';
import { applyOrder } from './apply.ts';
import { CannotApplyError, orderOf } from './order.ts';

/**
 * Fulfills a paid payment: the project, the receipt and the state of the payment in one database transaction, once, for
 * any number of callers. A payment that cannot be fulfilled becomes 'unclaimed'; one that already was stays so, and its
 * payer gets no second line of activity. `from`: 'unclaimed' where the admin credits it. Returns the resulting payment.
 */
export async function fulfil(
  { db, config }: Services,
  paymentId: string,
  from: 'paid' | 'unclaimed' = 'paid',
): Promise<PaymentRow> {
  return db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, paymentId);
    if (!payment) throw new Error(`payment ${paymentId} is gone`);
    if (payment.state !== from || !payment.digest) return payment;
    const buyer = { userId: payment.userId, isAdmin: payment.walletAddress === config.adminWallet };
    const order = orderOf(payment);
    try {
      if (!order) throw new CannotApplyError('missing', 'The project no longer exists');
      const receipt = { digest: payment.digest, amountMist: payment.amountMist };
      const projectId = await applyOrder(trx, order, buyer, receipt);
      const move = from === 'paid' ? 'fulfil' : 'credit';
      await transition(trx, paymentId, move, { projectId, failureCode: null, message: null });
    } catch (error) {
      if (!(error instanceof CannotApplyError)) throw error;
      const message = `${error.message}. The admin will refund or credit it.`;
      const why = { failureCode: `project_${error.reason}`, message };
      if (from === 'paid') await markUnclaimed(trx, payment, 'escalate', why);
      else await explainUnclaimed(trx, paymentId, why);
    }
    return (await lockPayment(trx, paymentId)) ?? payment;
  });
}
