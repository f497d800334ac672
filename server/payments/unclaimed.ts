import type { Db } from '#db/client.ts';
import type { PaymentState } from '#shared/contract/payments.ts';
import { PHASE_FACTS } from '#shared/payment-phases.ts';
import { toBigint } from '../projects/orders.ts';
import { type Change, moveOn, type PaymentRow } from './queries.ts';

/** Keeps money that cannot be used for its order until a person decides, and tells the payer so (R36). */
export async function setAside(
  trx: Db,
  payment: PaymentRow,
  from: PaymentState[],
  change: Omit<Change, 'state'> & { note: string },
): Promise<void> {
  const moved = await moveOn(trx, payment.id, from, { ...change, state: 'unclaimed' });
  if (!moved) return;
  await trx
    .insertInto('activity')
    .values({
      userId: payment.userId,
      kind: 'payment_unclaimed',
      text: `${PHASE_FACTS.review.title}: ${change.note}`,
      amountMist: toBigint(change.receivedMist ?? payment.receivedMist ?? 0n),
      digest: payment.digest,
    })
    .execute();
}
