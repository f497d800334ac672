import type { Db } from '#db/client.ts';
import { PHASE_FACTS } from '#shared/payment-phases.ts';
import { recordActivity } from '#server/books/activity.ts';
import type { PaymentRow } from './rows.ts';
import { type Change, transition } from './transitions.ts';

/** Keeps money that cannot be used for its order until the admin decides (R36). */
export async function markUnclaimed(
  trx: Db,
  payment: PaymentRow,
  move: 'mismatch' | 'escalate' | 'decline',
  change: Change & { message: string },
): Promise<void> {
  if (!(await transition(trx, payment.id, move, change))) return;
  await recordActivity(trx, {
    userId: payment.userId,
    kind: 'payment_unclaimed',
    text: `${PHASE_FACTS.review.title}: ${change.message}`,
    amountMist: change.receivedMist ?? payment.receivedMist ?? 0n,
    digest: payment.digest,
  });
}
