import { payments } from '#shared/contract/index.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { notFound } from '../errors.ts';
import { implement } from '../route.ts';
import type { Services } from '../services.ts';
import { cancel, execute, ownPayment, prepare } from './actions.ts';
import { listForAdmin, resolve } from './admin.ts';
import type { OrderInput } from './order-request.ts';
import { listPaymentRows, toPayment } from './queries.ts';
import { receiptsCsv } from './receipts.ts';

/** A payment as its payer sees it. */
async function describe({ db }: Services, id: string): Promise<Payment> {
  const [found] = await listPaymentRows(db, { id });
  if (!found) throw notFound('payment_not_found', 'Payment not found');
  return toPayment(found.row, found.projectName);
}

export const paymentRoutes = [
  implement(payments.preparePayment, ({ services, session, body }) => {
    const input: OrderInput = body.purpose === 'submit' ? body : { ...body, ref: String(body.projectId) };
    return prepare(services, session, input);
  }),

  implement(payments.executePayment, async ({ services, session, params, body, reply }) => {
    const answer = await execute(services, session, params.id, body);
    if ('status' in answer) reply.code(202);
    return answer;
  }),

  implement(payments.listPayments, async ({ services, session }) => {
    const rows = await listPaymentRows(services.db, { userId: session.userId });
    return rows.map(({ row, projectName }) => toPayment(row, projectName));
  }),

  implement(payments.exportPayments, async ({ services, session, reply }) => {
    reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="snapswipe-receipts.csv"');
    return receiptsCsv(await listPaymentRows(services.db, { userId: session.userId, limit: 10_000 }));
  }),

  implement(payments.getPayment, async ({ services, session, params }) => {
    await ownPayment(services, session, params.id);
    return describe(services, params.id);
  }),

  implement(payments.cancelPayment, async ({ services, session, params }) => {
    await cancel(services, session, params.id);
    return describe(services, params.id);
  }),

  implement(payments.listAllPayments, ({ services, query }) => listForAdmin(services, { state: query.state })),
  implement(payments.resolvePayment, ({ services, params, body }) => resolve(services, params.id, body)),
];
