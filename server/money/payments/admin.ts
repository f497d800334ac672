import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { AdminPayment, resolvePayment } from '#shared/contract/payments.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { formatSui } from '#shared/money/money.ts';
import { isDigest } from '#chain/transactions.ts';
import { recordActivity } from '#server/books/activity.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';
import { conflict, invalidField } from '#server/kit/http/errors.ts';
import { recordNotices } from '#server/books/notices.ts';
import { lockTransaction } from './lock-transaction.ts';
import type { Services } from '#server/kit/services.ts';
import { LISTING_HIDDEN, listingFee, TAKEN_OVER } from '#server/listings/projects/listing-fee.ts';
import { type NamedPayment, type PaymentRow, toPayment } from './rows.ts';
import { transition } from './transitions.ts';
import { verifyRefund } from './verify-refund.ts';

export const toAdminPayment = (row: NamedPayment): AdminPayment => ({
  ...toPayment(row),
  userId: row.userId,
  walletAddress: row.walletAddress,
  failure: row.failureCode,
  paidBy: row.paidBy,
  refundedMist: row.refundedMist?.toString() ?? null,
  refundTransactionHash: row.refundDigest,
});

export const notWaiting = () => conflict('not_unclaimed', 'This payment does not need a decision');

const notRefundable = () =>
  conflict(
    'not_unclaimed',
    'Only the newest fee of a hidden listing can be refunded, after its owner has appealed or while its name is marked, or that of one taken over',
  );

/**
 * Why a fee can be refunded: its listing was taken over (R72), or it is the newest one of a hidden listing that was appealed (R80) or is marked (R74),
 * which then stays hidden. Null: it cannot.
 */
async function refundableAs(db: Db, { id, projectId }: PaymentRow): Promise<string | null> {
  if (projectId === null) return null;
  const claim = await db.selectFrom('claims').select('id').where('refundPaymentId', '=', id).executeTakeFirst();
  if (claim) return TAKEN_OVER;
  const row = await db
    .selectFrom('projects')
    .select(listingFee(sql.ref('projects.id')).as('fee'))
    .where('projects.id', '=', projectId)
    .where('hiddenAt', 'is not', null)
    .where(sql<boolean>`(look_alike_of IS NOT NULL OR EXISTS (SELECT FROM appeals a WHERE a.project_id = projects.id))`)
    .forUpdate('projects')
    .executeTakeFirst();
  return row?.fee?.paymentId === id && row.fee.refundedMist === null ? LISTING_HIDDEN : null;
}

async function claimRefund(trx: Db, digest: string): Promise<void> {
  await lockTransaction(trx, digest);
  const used = await trx.selectFrom('payments').select('id').where('refundDigest', '=', digest).executeTakeFirst();
  if (used) throw conflict('digest_used', 'This transaction was already recorded as another refund');
}

function amountOf(payment: PaymentRow, sent: string | undefined): bigint {
  const receivedMist = payment.receivedMist ?? payment.amountMist;
  const refundedMist = sent === undefined ? receivedMist : BigInt(sent);
  if (refundedMist <= 0n || refundedMist > receivedMist)
    throw invalidField('amountMist', `Enter a refund above 0 and at most ${formatSui(receivedMist)} SUI`);
  return refundedMist;
}

interface WrittenRefund {
  message: string;
  refundedMist: bigint;
  refundDigest: string | null;
  failureCode: string | null;
}

async function writeRefund(trx: Db, who: Actor, payment: PaymentRow, change: WrittenRefund): Promise<void> {
  const { failureCode, ...written } = change;
  const isListing = failureCode !== null;
  const move = isListing ? 'refundListing' : 'refund';
  if (!(await transition(trx, payment.id, move, { ...written, ...(isListing ? { failureCode } : {}) })))
    throw notWaiting();
  const { message, refundedMist, refundDigest } = change;
  const text = `Your payment was refunded, ${formatSui(refundedMist)} SUI: ${message}`;
  const { userId } = payment;
  await recordActivity(trx, {
    userId,
    kind: 'payment_refunded',
    text,
    amountMist: refundedMist,
    digest: refundDigest,
  });
  if (isListing) await recordNotices(trx, { userId, kind: 'appeal_answered', text, link: '/portfolio' });
  const transaction = refundDigest === null ? 'without a digest' : `by transaction ${refundDigest}`;
  const detail = `Payment ${payment.id}: ${formatSui(refundedMist)} SUI were refunded ${transaction}. Reason: ${withoutWallets(message)}`;
  await writeAudit(trx, who, { action: 'payment.refund', detail, outcome: 'ok' });
}

/** The refund of a listing's fee is verified on chain. @throws 400, 409, 503 */
export async function refund(
  services: Services,
  who: Actor,
  payment: PaymentRow,
  body: BodyOf<typeof resolvePayment>,
): Promise<void> {
  const { db } = services;
  const { note: message, transactionHash: refundDigest = null } = body;
  const refundedMist = amountOf(payment, body.amountMist);
  if (refundDigest !== null && !isDigest(refundDigest))
    throw invalidField('transactionHash', 'This is not the digest of a transaction');
  const isListing = payment.state === 'fulfilled';
  if (isListing && (await refundableAs(db, payment)) === null) throw notRefundable();
  if (isListing) {
    if (refundDigest === null) throw invalidField('transactionHash', 'Enter the digest of the refund');
    const recipient = payment.paidBy ?? payment.walletAddress;
    const since = payment.createdAt;
    await verifyRefund(services, { digest: refundDigest, recipient, amountMist: refundedMist, since });
  }
  await db.transaction().execute(async (trx) => {
    if (isListing && refundDigest !== null) await claimRefund(trx, refundDigest);
    // Locks the listing, so that it cannot be shown again before the refund is written.
    const failureCode = isListing ? await refundableAs(trx, payment) : null;
    if (isListing && failureCode === null) throw notRefundable();
    await writeRefund(trx, who, payment, { message, refundedMist, refundDigest, failureCode });
  });
}
