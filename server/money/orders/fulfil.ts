import type { Db } from '#db/client.ts';
import { NAME_REVIEW_HOURS } from '#shared/constants.ts';
import { findPayment, lockPayment } from '../payments/queries.ts';
import { isWaiting, type PaymentRow } from '../payments/rows.ts';
import { explainUnclaimed, markUnclaimed, transition } from '../payments/transitions.ts';
import type { Services } from '#server/kit/services.ts';
import { learnVersions } from '#server/listings/ownership/packages.ts';
import { applyOrder } from './apply.ts';
import { endEarlierWaits, endWait, hasLaterOrder } from './later-orders.ts';
import { type Buyer, CannotApplyError, type NameReview, NeedsNameReviewError, orderOf, type Receipt } from './order.ts';
import { notifyListed, waitForNameReview } from './wait-for-review.ts';

const NAME_REVIEW_MS = NAME_REVIEW_HOURS * 3_600_000;

function nameReviewOf({ lookAlikeSince }: PaymentRow): NameReview {
  return lookAlikeSince !== null && Date.now() - lookAlikeSince.getTime() >= NAME_REVIEW_MS ? 'overdue' : 'required';
}

interface Decision {
  kind: 'credit' | 'list';
  record: (trx: Db, payment: PaymentRow) => Promise<void>;
}

async function keepForReview(trx: Db, payment: PaymentRow, other: string): Promise<void> {
  if (payment.lookAlikeSince !== null) return;
  if (await hasLaterOrder(trx, payment)) return endWait(trx, payment);
  await waitForNameReview(trx, payment, other);
  await endEarlierWaits(trx, payment);
}

async function applyPaid(
  trx: Db,
  payment: PaymentRow,
  receipt: Receipt,
  { buyer, decision }: { buyer: Buyer; decision: Decision | null },
): Promise<void> {
  const isCredit = decision?.kind === 'credit';
  const order = orderOf(payment);
  const review = decision !== null || buyer.isAdmin ? 'done' : nameReviewOf(payment);
  try {
    if (!order) throw new CannotApplyError('missing', 'The project no longer exists');
    const projectId = await applyOrder(trx, order, buyer, receipt, review);
    const move = isCredit ? 'credit' : 'fulfil';
    const isLooked = review === 'overdue' ? {} : { lookAlikeSince: null };
    await transition(trx, payment.id, move, { projectId, failureCode: null, message: null, ...isLooked });
    await endEarlierWaits(trx, payment);
    if (decision) await decision.record(trx, payment);
    else if (payment.lookAlikeSince !== null) await notifyListed(trx, payment, projectId);
  } catch (error) {
    if (error instanceof NeedsNameReviewError) return keepForReview(trx, payment, error.other);
    if (!(error instanceof CannotApplyError)) throw error;
    const message = `${error.message}. The admin will refund or credit it.`;
    const why = { failureCode: `project_${error.reason}`, message };
    if (isCredit) await explainUnclaimed(trx, payment.id, why);
    else await markUnclaimed(trx, payment, 'escalate', { ...why, lookAlikeSince: null });
  }
}

async function learnNamed(services: Services, paymentId: string): Promise<void> {
  const payment = await findPayment(services.db, paymentId);
  const order = payment && orderOf(payment);
  if (order?.purpose === 'update') await learnVersions(services, order.draft);
}

/**
 * Fulfills a paid payment in one database transaction, once, for any number of callers. A payment that cannot be
 * fulfilled becomes 'unclaimed'; one whose name looks like another listing's waits for a moderator (R74).
 */
export async function fulfil(
  services: Services,
  paymentId: string,
  decision: Decision | null = null,
): Promise<PaymentRow> {
  const { db, config } = services;
  await learnNamed(services, paymentId);
  const from = decision?.kind === 'credit' ? 'unclaimed' : 'paid';
  return db.transaction().execute(async (trx) => {
    const payment = await lockPayment(trx, paymentId);
    if (!payment) throw new Error(`payment ${paymentId} is gone`);
    const { state, digest, amountMist, userId } = payment;
    if (state !== from || !digest) return payment;
    const buyer = { userId, isAdmin: payment.walletAddress === config.adminWallet };
    if (isWaiting(payment) && (await hasLaterOrder(trx, payment))) await endWait(trx, payment);
    else await applyPaid(trx, payment, { digest, amountMist }, { buyer, decision });
    return (await lockPayment(trx, paymentId)) ?? payment;
  });
}
