import { sql } from 'kysely';
import { toBigint } from '#db/bigint.ts';
import type { Db } from '#db/client.ts';
import { PHASE_FACTS } from '#shared/money/payment-phases.ts';
import { PAYMENT_MOVES } from '#shared/states/payment.ts';
import { recordActivity } from '#server/books/activity.ts';
import type { PaymentRow } from './rows.ts';

type PaymentMove = keyof typeof PAYMENT_MOVES;

export interface Change {
  chainId?: string;
  receivedMist?: bigint;
  paidBy?: string | null;
  refundedMist?: bigint;
  refundDigest?: string | null;
  projectId?: number;
  failureCode?: string | null;
  message?: string | null;
}

/** The recovery job takes over after this. */
export const graceEnd = sql<Date>`now() + interval '10 seconds'`;

function toColumns({ receivedMist, refundedMist, ...rest }: Change) {
  return {
    ...rest,
    ...(receivedMist === undefined ? {} : { receivedMist: toBigint(receivedMist) }),
    ...(refundedMist === undefined ? {} : { refundedMist: toBigint(refundedMist) }),
    attempts: 0,
    nextTryAt: graceEnd,
  };
}

export function updatePayment(db: Db, id: string, move: PaymentMove) {
  const { from, to } = PAYMENT_MOVES[move];
  return db
    .updateTable('payments')
    .set({ state: to, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', from);
}

/** False when another request or job was faster. */
export async function transition(db: Db, id: string, move: PaymentMove, change: Change): Promise<boolean> {
  const result = await updatePayment(db, id, move).set(toColumns(change)).executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Keeps money that cannot be used for its order until the admin decides (R36). */
export async function markUnclaimed(
  trx: Db,
  payment: PaymentRow,
  move: 'mismatch' | 'escalate',
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

export async function explainUnclaimed(
  db: Db,
  id: string,
  why: { failureCode: string; message: string },
): Promise<void> {
  await db
    .updateTable('payments')
    .set({ ...toColumns(why), updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'unclaimed')
    .execute();
}

export async function postpone(db: Db, id: string): Promise<number> {
  const { attempts } = await db
    .updateTable('payments')
    .set({
      attempts: sql<number>`attempts + 1`,
      nextTryAt: sql<Date>`now() + least(5 * 2 ^ least(attempts, 10), 300) * interval '1 second'`,
    })
    .where('id', '=', id)
    .returning('attempts')
    .executeTakeFirstOrThrow();
  return attempts;
}
