import type { AdminPayment, resolvePayment } from '#shared/contract/payments.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { isAllowed } from '#shared/states/move.ts';
import { PAYMENT_MOVES } from '#shared/states/payment.ts';
import { type Actor, withoutWallets, writeAudit } from '#server/books/audit.ts';
import { conflict, notFound } from '#server/kit/http/errors.ts';
import { readReason } from '#server/kit/http/reason.ts';
import { notWaiting, refund, toAdminPayment } from '../payments/admin.ts';
import { findNamedPayment, findPayment } from '../payments/queries.ts';
import type { PaymentRow } from '../payments/rows.ts';
import type { Services } from '#server/kit/services.ts';
import { fulfil } from './fulfil.ts';

export async function resolve(
  services: Services,
  who: Actor,
  id: string,
  sent: BodyOf<typeof resolvePayment>,
): Promise<AdminPayment> {
  const body = { ...sent, note: readReason(sent.note, 'note') };
  const { db } = services;
  const payment = await findPayment(db, id);
  if (!payment) throw notFound('payment_not_found', 'Payment not found');
  if (body.resolution === 'credited') await credit(services, who, payment, body.note);
  else await refund(services, who, payment, body);
  return toAdminPayment(await findNamedPayment(db, id));
}

async function credit(services: Services, who: Actor, payment: PaymentRow, reason: string): Promise<void> {
  if (!isAllowed(PAYMENT_MOVES.credit, payment.state)) throw notWaiting();
  let isCredited = false;
  const done = await fulfil(services, payment.id, async (trx) => {
    const detail = `Payment ${payment.id} was credited. Reason: ${withoutWallets(reason)}`;
    await writeAudit(trx, who, { action: 'payment.credit', detail, outcome: 'ok' });
    isCredited = true;
  });
  if (done.state === 'unclaimed') throw conflict('cannot_fulfil', done.message ?? 'The order cannot be completed');
  if (!isCredited) throw notWaiting();
}
