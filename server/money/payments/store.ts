import { sql } from 'kysely';
import { toBigint } from '#db/bigint.ts';
import type { Db } from '#db/client.ts';
import type { Purpose } from '#shared/contract/payments.ts';
import { PAYMENT_MOVES } from '#shared/states/payment.ts';
import { findOpenTwin, findPayment } from './queries.ts';
import type { PaymentRow } from './rows.ts';
import { graceEnd, updatePayment } from './transitions.ts';

export interface NewPayment {
  userId: number;
  purpose: Purpose;
  projectId: number | null;
  draft: object;
  orderHash: string;
  amountMist: bigint;
  recipient: string;
  ttlMs: number;
}

export async function insertDraft(db: Db, payment: NewPayment): Promise<PaymentRow> {
  const { id } = await db.insertInto('payments').values(newRow(payment)).returning('id').executeTakeFirstOrThrow();
  return found(db, id);
}

function newRow({ ttlMs, draft, amountMist, ...payment }: NewPayment) {
  return {
    ...payment,
    state: 'draft' as const,
    draft: JSON.stringify(draft),
    amountMist: toBigint(amountMist),
    expiresAt: sql<Date>`now() + ${ttlMs} * interval '1 millisecond'`,
  };
}

async function found(db: Db, id: string): Promise<PaymentRow> {
  const row = await findPayment(db, id);
  if (!row) throw new Error(`payment ${id} is gone`);
  return row;
}

/** Takes the user's unpaid draft of the same order, or a new payment. Call under the user's lock. */
export async function claimDigest(trx: Db, payment: NewPayment, digest: string): Promise<PaymentRow> {
  const signed = {
    state: PAYMENT_MOVES.claim.to,
    digest,
    signedAt: sql<Date>`now()`,
    nextTryAt: graceEnd,
    updatedAt: sql<Date>`now()`,
  };
  const drafted = await trx
    .updateTable('payments')
    .set(signed)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('payments')
        .select('id')
        .where('userId', '=', payment.userId)
        .where('orderHash', '=', payment.orderHash)
        .where('state', 'in', PAYMENT_MOVES.claim.from)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id')
    .executeTakeFirst();
  if (drafted) return found(trx, drafted.id);
  const { id } = await trx
    .insertInto('payments')
    .values({ ...newRow(payment), ...signed })
    .returning('id')
    .executeTakeFirstOrThrow();
  return found(trx, id);
}

/** Locks the rows of the order, always in the same order: one of several tabs that sign at once pays. */
export async function storeSigned(
  db: Db,
  payment: PaymentRow,
  signed: { digest: string; transaction: Uint8Array; signature: string },
): Promise<'stored' | 'not_open' | 'twin'> {
  return db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('payments')
      .select('id')
      .where('userId', '=', payment.userId)
      .where('orderHash', '=', payment.orderHash)
      .where('state', 'in', ['draft', 'signed', 'paid'])
      .orderBy('id')
      .forUpdate()
      .execute();
    if (await findOpenTwin(trx, payment)) return 'twin';
    return (await signDraft(trx, payment.id, signed)) ? 'stored' : 'not_open';
  });
}

async function signDraft(
  trx: Db,
  id: string,
  signed: { digest: string; transaction: Uint8Array; signature: string },
): Promise<boolean> {
  const { digest, transaction, signature } = signed;
  const result = await updatePayment(trx, id, 'sign')
    .set({ digest, transaction: Buffer.from(transaction), signature, signedAt: sql<Date>`now()`, nextTryAt: graceEnd })
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function recordDigest(db: Db, id: string, digest: string): Promise<void> {
  await updatePayment(db, id, 'claim')
    .set({ digest, signedAt: sql<Date>`now()`, nextTryAt: graceEnd })
    .execute();
}

export async function cancelDraft(db: Db, id: string): Promise<boolean> {
  const result = await updatePayment(db, id, 'cancel')
    .set({ expiresAt: sql<Date>`least(expires_at, now())` })
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
