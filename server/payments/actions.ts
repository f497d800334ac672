import { type preparePayment, PHASE_OF } from '#shared/contract/payments.ts';
import type { AnswerOf } from '#shared/endpoint.ts';
import { phaseMessage } from '#shared/payment-phases.ts';
import { conflict } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from '../http/session.ts';
import { checkDrafts, newPayment, ownPayment, paymentOpen } from './common.ts';
import { checkChanges, checkName, checkPossible, draftOf, type OrderInput, readOrder } from './order-request.ts';
import { cancelDraft, findOpenTwin, insertDraft, lockDrafts } from './queries.ts';
import { noteRecipient } from './recipients.ts';

/** Step 1 of R16: checks everything and stores what will be paid for. */
export async function prepare(
  services: Services,
  session: SessionUser,
  input: OrderInput,
): Promise<AnswerOf<typeof preparePayment>> {
  if (session.isAdmin) throw conflict('free_for_admin', 'The admin wallet pays nothing');
  const request = await readOrder(services, input);
  checkPossible(request, session);
  await checkName(services, request);
  await checkDrafts(services.db, session.userId);
  const draft = await draftOf(services, request);
  checkChanges(request, draft);
  const order = newPayment(services, session, request, draft);
  const twin = await findOpenTwin(services.db, order);
  if (twin) throw paymentOpen(twin);
  await noteRecipient(services.db, order.recipient);
  const payment = await services.db.transaction().execute(async (trx) => {
    await lockDrafts(trx, session.userId);
    await checkDrafts(trx, session.userId);
    return insertDraft(trx, order);
  });
  return {
    paymentId: payment.id,
    amountMist: payment.amountMist.toString(),
    recipient: order.recipient,
    expiresAt: payment.expiresAt.toISOString(),
  };
}

/**
 * Gives a payment up that nothing was executed for: its draft ends, and a signature for it that arrives later is refused.
 * @throws 404, 409 when a transaction is known: only the chain decides then.
 */
export async function cancel(services: Services, session: SessionUser, id: string): Promise<void> {
  const payment = await ownPayment(services, session, id);
  if (payment.state === 'expired' || (await cancelDraft(services.db, id))) return;
  const { state } = await ownPayment(services, session, id);
  if (state !== 'expired')
    throw conflict('payment_sent', `This payment cannot be cancelled. ${phaseMessage(PHASE_OF[state])}`);
}
