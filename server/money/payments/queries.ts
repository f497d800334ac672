import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { PaymentState } from '#shared/states/payment.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { listByTime, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import { type NamedPayment, namedRows, type PaymentRow, paymentRows, toNamed, toRow } from './rows.ts';

export async function findPayment(db: Db, id: string): Promise<PaymentRow | null> {
  const row = await paymentRows(db).where('payments.id', '=', id).executeTakeFirst();
  return row ? toRow(row) : null;
}

export async function lockPayment(trx: Db, id: string): Promise<PaymentRow | null> {
  const row = await paymentRows(trx).where('payments.id', '=', id).forUpdate('payments').executeTakeFirst();
  return row ? toRow(row) : null;
}

export async function findByDigest(db: Db, userId: number, digest: string): Promise<PaymentRow | null> {
  const row = await paymentRows(db)
    .where('payments.userId', '=', userId)
    .where('payments.digest', '=', digest)
    .where('payments.state', 'not in', ['failed', 'expired'])
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

export async function isDigestUsed(db: Db, digest: string, exceptId?: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('digest', '=', digest)
    .where('state', 'in', ['paid', 'fulfilled', 'unclaimed', 'refunded'])
    .$call((query) => (exceptId === undefined ? query : query.where('id', '<>', exceptId)))
    .executeTakeFirst();
  return row !== undefined;
}

export async function countUnpaidDrafts(db: Db, userId: number): Promise<{ open: number; today: number }> {
  return db
    .selectFrom('payments')
    .select((eb) => [
      eb.fn
        .countAll<number>()
        .filterWhere('state', '=', 'draft')
        .filterWhere('expiresAt', '>', sql<Date>`now()`)
        .as('open'),
      eb.fn.countAll<number>().as('today'),
    ])
    .where('userId', '=', userId)
    .where('state', 'in', ['draft', 'expired'])
    .where('createdAt', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
}

export async function countFutileClaims(db: Db, userId: number): Promise<{ unseen: number; today: number }> {
  return db
    .selectFrom('payments')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'signed').as('unseen'),
      eb.fn
        .countAll<number>()
        .filterWhere('signedAt', '>', sql<Date>`now() - interval '1 day'`)
        .as('today'),
    ])
    .where('userId', '=', userId)
    .where('state', 'in', ['signed', 'failed'])
    .where('transaction', 'is', null)
    .executeTakeFirstOrThrow();
}

export async function findOpenTwin(db: Db, { userId, orderHash, id }: OrderKey): Promise<PaymentRow | null> {
  const row = await paymentRows(db)
    .where('payments.userId', '=', userId)
    .where('payments.orderHash', '=', orderHash)
    .where('payments.state', 'in', ['signed', 'paid'])
    .$call((query) => (id === undefined ? query : query.where('payments.id', '<>', id)))
    .orderBy('payments.createdAt')
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

interface OrderKey {
  userId: number;
  orderHash: string;
  id?: string;
}

export interface ListFilter {
  userId?: number;
  state?: PaymentState | undefined;
}

export async function findNamedPayment(db: Db, id: string): Promise<NamedPayment> {
  const row = await namedRows(db).where('payments.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('payment_not_found', 'Payment not found');
  return toNamed(row);
}

export async function listPaymentRows(
  db: Db,
  { userId, state }: ListFilter,
  page: PageQuery,
): Promise<Page<NamedPayment>> {
  const rows = namedRows(db)
    .$if(userId !== undefined, (query) => query.where('payments.userId', '=', userId ?? 0))
    .$if(state !== undefined, (query) => query.where('payments.state', '=', state ?? 'draft'));
  const name = `payments:${userId ?? ''}:${state ?? ''}`;
  return mapPage(await listByTime(db, { name, page, rows, table: 'payments' }), toNamed);
}
