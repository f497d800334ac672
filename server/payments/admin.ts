import type { AdminPayment, resolvePayment } from '#shared/contract/payments.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { formatSui } from '#shared/money.ts';
import { isDigest } from '#chain/transactions.ts';
import { recordActivity } from '../activity/record.ts';
import { conflict, invalidField } from '../http/errors.ts';
import { mapPage, type Page, type PageQuery } from '../http/pages.ts';
import type { Services } from '../services.ts';
import { type ListFilter, listPaymentRows } from './queries.ts';
import { type NamedPayment, type PaymentRow, toPayment } from './rows.ts';
import { type Change, transition } from './transitions.ts';

export const toAdminPayment = ({ row, projectName }: NamedPayment): AdminPayment => ({
  ...toPayment(row, projectName),
  userId: row.userId,
  walletAddress: row.walletAddress,
  failure: row.failureCode,
  paidBy: row.paidBy,
  refundedMist: row.refundedMist?.toString() ?? null,
  refundTransactionHash: row.refundDigest,
});

/** Payments of all users with their payers, newest first. */
export const listForAdmin = async (
  { db }: Services,
  filter: ListFilter,
  page: PageQuery,
): Promise<Page<AdminPayment>> => mapPage(await listPaymentRows(db, filter, page), toAdminPayment);

export const notWaiting = () => conflict('not_unclaimed', 'This payment does not need a decision');

/** Records that the admin sent the money back; the payer finds both on the activity list. @throws 400, 409 */
export async function refund(
  { db }: Services,
  payment: PaymentRow,
  body: BodyOf<typeof resolvePayment>,
): Promise<void> {
  const { note, transactionHash: refundDigest = null } = body;
  const receivedMist = payment.receivedMist ?? payment.amountMist;
  const refundedMist = body.amountMist === undefined ? receivedMist : BigInt(body.amountMist);
  if (refundedMist <= 0n || refundedMist > receivedMist)
    throw invalidField('amountMist', `Enter a refund above 0 and at most ${formatSui(receivedMist)} SUI`);
  if (refundDigest !== null && !isDigest(refundDigest))
    throw invalidField('transactionHash', 'This is not the digest of a transaction');
  await db.transaction().execute(async (trx) => {
    const change: Change = { message: note, refundedMist, refundDigest };
    if (!(await transition(trx, payment.id, 'refund', change))) throw notWaiting();
    await recordActivity(trx, {
      userId: payment.userId,
      kind: 'payment_refunded',
      text: `Your payment was refunded, ${formatSui(refundedMist)} SUI: ${note}`,
      amountMist: refundedMist,
      digest: refundDigest,
    });
  });
}
