import type { AdminPayment, resolvePayment } from '#shared/contract/payments.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { conflict, notFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { fulfil } from './fulfil.ts';
import { findPayment, type ListFilter, listPaymentRows, moveOn, toPayment } from './queries.ts';

/** Payments of everybody with who paid them, newest first. */
export async function listForAdmin({ db }: Services, filter: ListFilter): Promise<AdminPayment[]> {
  const rows = await listPaymentRows(db, filter);
  return rows.map(({ row, projectName }) => ({
    ...toPayment(row, projectName),
    userId: row.userId,
    walletAddress: row.walletAddress,
    failure: row.failure,
  }));
}

/** The admin's decision on a payment that waits for one; the payer finds note and decision on the activity list. */
export async function resolve(
  services: Services,
  id: string,
  { resolution, note }: BodyOf<typeof resolvePayment>,
): Promise<AdminPayment> {
  const { db } = services;
  const payment = await findPayment(db, id);
  if (!payment) throw notFound('payment_not_found', 'Payment not found');
  if (resolution === 'credited') await credit(services, id);
  else await refund(services, id, note);
  const [decided] = await listForAdmin(services, { id });
  if (!decided) throw notFound('payment_not_found', 'Payment not found');
  return decided;
}

const notWaiting = () => conflict('not_unclaimed', 'This payment does not wait for a decision');

async function credit(services: Services, id: string): Promise<void> {
  if (!(await moveOn(services.db, id, ['unclaimed'], { state: 'paid' }))) throw notWaiting();
  const done = await fulfil(services, id);
  if (done.state === 'unclaimed') throw conflict('cannot_fulfil', done.note ?? 'The order cannot be carried out');
}

async function refund({ db }: Services, id: string, note: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await moveOn(trx, id, ['unclaimed'], { state: 'refunded', note }))) throw notWaiting();
    await trx
      .insertInto('activity')
      .columns(['userId', 'kind', 'text', 'amountMist', 'digest'])
      .expression((eb) =>
        eb
          .selectFrom('payments')
          .select([
            'userId',
            eb.val('payment_unclaimed').as('kind'),
            eb.val(`Your payment was refunded: ${note}`).as('text'),
            'receivedMist',
            'digest',
          ])
          .where('id', '=', id),
      )
      .execute();
  });
}
