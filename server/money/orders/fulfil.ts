import type { Db } from '#db/client.ts';
import { findPayment, lockPayment } from '../payments/queries.ts';
import type { PaymentRow } from '../payments/rows.ts';
import { explainUnclaimed, markUnclaimed, transition } from '../payments/transitions.ts';
import type { Services } from '#server/kit/services.ts';
import { learnVersions } from '#server/listings/ownership/packages.ts';
import { applyOrder } from './apply.ts';
import { type Buyer, CannotApplyError, orderOf, type Receipt } from './order.ts';

/** Records that the admin credited the payment. */
type Credit = (trx: Db) => Promise<void>;

async function applyPaid(
  trx: Db,
  payment: PaymentRow,
  receipt: Receipt,
  { buyer, credit }: { buyer: Buyer; credit: Credit | null },
): Promise<void> {
  const order = orderOf(payment);
  try {
    if (!order) throw new CannotApplyError('missing', 'The project no longer exists');
    const projectId = await applyOrder(trx, order, buyer, receipt);
    await transition(trx, payment.id, credit ? 'credit' : 'fulfil', { projectId, failureCode: null, message: null });
    await credit?.(trx);
  } catch (error) {
    if (!(error instanceof CannotApplyError)) throw error;
    const message = `${error.message}. The admin will refund or credit it.`;
    const why = { failureCode: `project_${error.reason}`, message };
    if (credit) await explainUnclaimed(trx, payment.id, why);
    else await markUnclaimed(trx, payment, 'escalate', why);
  }
}

async function learnNamed(services: Services, paymentId: string): Promise<void> {
  const payment = await findPayment(services.db, paymentId);
  const order = payment && orderOf(payment);
  if (order?.purpose === 'update') await learnVersions(services, order.draft);
}

/**
 * Fulfills a paid payment in one database transaction, once, for any number of callers. A payment that cannot be
 * fulfilled becomes 'unclaimed'.
 */
export async function fulfil(services: Services, paymentId: string, credit: Credit | null = null): Promise<PaymentRow> {
  const { db, config } = services;
  await learnNamed(services, paymentId);
  return db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, paymentId);
    if (!payment) throw new Error(`payment ${paymentId} is gone`);
    const { state, digest, amountMist, userId } = payment;
    if (state !== (credit ? 'unclaimed' : 'paid') || !digest) return payment;
    const buyer = { userId, isAdmin: payment.walletAddress === config.adminWallet };
    await applyPaid(trx, payment, { digest, amountMist }, { buyer, credit });
    return (await lockPayment(trx, paymentId)) ?? payment;
  });
}
