import type { AdminPayment, resolvePayment } from '#shared/contract/payments.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { formatSui } from '#shared/money.ts';
import { isDigest } from '#chain/payment-outcome.ts';
import { readReason } from '../http/reason.ts';
import { conflict, invalidField, notFound } from '../http/errors.ts';
import { toBigint } from '../projects/orders.ts';
import type { Services } from '../services.ts';
import { fulfil } from './fulfil.ts';
import { mapPage, type Page, type PageQuery } from '../http/pages.ts';
import {
  findNamedPayment,
  findPayment,
  type ListFilter,
  listPaymentRows,
  moveOn,
  type NamedPayment,
  type PaymentRow,
  toPayment,
} from './queries.ts';

const toAdminPayment = ({ row, projectName }: NamedPayment): AdminPayment => ({
  ...toPayment(row, projectName),
  userId: row.userId,
  walletAddress: row.walletAddress,
  failure: row.failure,
  paidBy: row.paidBy,
  refundedMist: row.refundedMist?.toString() ?? null,
  refundTransactionHash: row.refundDigest,
});

/** Payments of everybody with who paid them, newest first. */
export const listForAdmin = async (
  { db }: Services,
  filter: ListFilter,
  page: PageQuery,
): Promise<Page<AdminPayment>> => mapPage(await listPaymentRows(db, filter, page), toAdminPayment);

/** The admin's decision on a payment that waits for one; the payer finds note and decision on the activity list. */
export async function resolve(
  services: Services,
  id: string,
  sent: BodyOf<typeof resolvePayment>,
): Promise<AdminPayment> {
  const body = { ...sent, note: readReason(sent.note, 'note') };
  const { db } = services;
  const payment = await findPayment(db, id);
  if (!payment) throw notFound('payment_not_found', 'Payment not found');
  if (body.resolution === 'credited') await credit(services, payment);
  else await refund(services, payment, body);
  return toAdminPayment(await findNamedPayment(db, id));
}

const notWaiting = () => conflict('not_unclaimed', 'This payment does not need a decision');

async function credit(services: Services, payment: PaymentRow): Promise<void> {
  if (payment.state !== 'unclaimed') throw notWaiting();
  const done = await fulfil(services, payment.id, 'unclaimed');
  if (done.state === 'unclaimed') throw conflict('cannot_fulfil', done.note ?? 'The order cannot be completed');
  if (done.state !== 'fulfilled') throw notWaiting();
}

async function refund({ db }: Services, payment: PaymentRow, body: BodyOf<typeof resolvePayment>): Promise<void> {
  const { note, transactionHash: refundDigest = null } = body;
  const receivedMist = payment.receivedMist ?? payment.amountMist;
  const refundedMist = body.amountMist === undefined ? receivedMist : BigInt(body.amountMist);
  if (refundedMist <= 0n || refundedMist > receivedMist)
    throw invalidField('amountMist', `Enter a refund above 0 and at most ${formatSui(receivedMist)} SUI`);
  if (refundDigest !== null && !isDigest(refundDigest))
    throw invalidField('transactionHash', 'This is not the digest of a transaction');
  await db.transaction().execute(async (trx) => {
    const change = { state: 'refunded', note, refundedMist, refundDigest } as const;
    if (!(await moveOn(trx, payment.id, ['unclaimed'], change))) throw notWaiting();
    await trx
      .insertInto('activity')
      .values({
        userId: payment.userId,
        kind: 'payment_refunded',
        text: `Your payment was refunded, ${formatSui(refundedMist)} SUI: ${note}`,
        amountMist: toBigint(refundedMist),
        digest: refundDigest,
      })
      .execute();
  });
}
