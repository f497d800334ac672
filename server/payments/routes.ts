import { payments } from '#shared/contract/index.ts';
import type { Payment } from '#shared/contract/payments.ts';
import { sendPage } from '../http/pages.ts';
import { implement } from '../http/declare.ts';
import type { Services } from '../services.ts';
import { cancel, prepare } from './actions.ts';
import { ownPayment } from './common.ts';
import { execute } from './execute.ts';
import { listForAdmin, resolve } from './admin.ts';
import type { OrderInput } from './order-request.ts';
import { findNamedPayment, listPaymentRows, toPayment } from './queries.ts';
import { receiptsCsv } from './receipts.ts';

/** A payment as its payer sees it. */
async function describe({ db }: Services, id: string): Promise<Payment> {
  const { row, projectName } = await findNamedPayment(db, id);
  return toPayment(row, projectName);
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

  implement(payments.listPayments, async ({ services, session, query, reply }) => {
    const rows = sendPage(reply, await listPaymentRows(services.db, { userId: session.userId }, query));
    return rows.map(({ row, projectName }) => toPayment(row, projectName));
  }),

  implement(payments.exportPayments, async ({ services, session, reply }) => {
    reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="snapswipe-receipts.csv"');
    return receiptsCsv(services.db, session.userId);
  }),

  implement(payments.getPayment, async ({ services, session, params }) => {
    await ownPayment(services, session, params.id);
    return describe(services, params.id);
  }),

  implement(payments.cancelPayment, async ({ services, session, params }) => {
    await cancel(services, session, params.id);
    return describe(services, params.id);
  }),

  implement(payments.listAllPayments, async ({ services, query, reply }) =>
    sendPage(reply, await listForAdmin(services, { state: query.state }, query)),
  ),
  implement(payments.resolvePayment, ({ services, params, body }) => resolve(services, params.id, body)),
];
