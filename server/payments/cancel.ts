import { PHASE_OF } from '#shared/contract/payments.ts';
import { phaseMessage } from '#shared/payment-phases.ts';
import { conflict } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { SessionUser } from '../http/session.ts';
import { ownPayment } from './common.ts';
import { cancelDraft } from './store.ts';

/**
 * Cancels a payment that was never executed: its draft ends, and a later signature for it is refused.
 * @throws 404, 409 when a transaction is known: only the chain decides then.
 */
export async function cancel(services: Services, session: SessionUser, id: string): Promise<void> {
  const payment = await ownPayment(services, session, id);
  if (payment.state === 'expired' || (await cancelDraft(services.db, id))) return;
  const { state } = await ownPayment(services, session, id);
  if (state !== 'expired')
    throw conflict('payment_sent', `This payment cannot be cancelled. ${phaseMessage(PHASE_OF[state])}`);
}
