import { payments } from '#shared/contract/index.ts';
import { type Payment, PHASE_OF } from '#shared/contract/payments.ts';
import { route } from '#server/kit/http/declare.ts';
import { sendPage } from '#server/kit/http/pages.ts';
import type { Services } from '#server/kit/services.ts';
import { toAdminPayment } from './admin.ts';
import { ownPayment } from './common.ts';
import { findNamedPayment, listPaymentRows } from './queries.ts';
import { receiptsCsv } from './receipts.ts';
import { toPayment } from './rows.ts';
import { phaseMessage } from '#shared/money/payment-phases.ts';
import { conflict } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import { cancelDraft } from './store.ts';

/** Makes a later signature invalid. @throws 404, 409 when a transaction is known: only the chain decides then */
async function cancel(services: Services, session: SessionUser, id: string): Promise<void> {
  const payment = await ownPayment(services, session, id);
  if (payment.state === 'expired' || (await cancelDraft(services.db, id))) return;
  const sent = await ownPayment(services, session, id);
  if (sent.state !== 'expired')
    throw conflict('payment_sent', `This payment cannot be cancelled. ${phaseMessage(PHASE_OF[sent.state])}`);
}

async function describe({ db }: Services, id: string): Promise<Payment> {
  return toPayment(await findNamedPayment(db, id));
}

export const paymentRoutes = [
  route(payments.listPayments, { cost: 'list' }, async ({ services, session, query, reply }) =>
    sendPage(reply, await listPaymentRows(services.db, { userId: session.userId }, query)).map(toPayment),
  ),

  route(payments.exportPayments, { cost: 'list' }, async ({ services, session, reply }) => {
    reply
      .type('text/csv; charset=utf-8')
      .header('Content-Disposition', 'attachment; filename="snapswipe-receipts.csv"');
    return receiptsCsv(services.db, session.userId);
  }),

  route(payments.getPayment, { cost: 'list' }, async ({ services, session, params }) => {
    await ownPayment(services, session, params.id);
    return describe(services, params.id);
  }),

  route(payments.cancelPayment, { writes: [] }, async ({ services, session, params }) => {
    await cancel(services, session, params.id);
    return describe(services, params.id);
  }),

  route(payments.listAllPayments, { cost: 'list' }, async ({ services, query, reply }) =>
    sendPage(reply, await listPaymentRows(services.db, { state: query.state }, query)).map(toAdminPayment),
  ),
];
