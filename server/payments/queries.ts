import { type Selectable, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Payments } from '#db/schema.ts';
import { type Payment, type PaymentState, PHASE_OF, type Purpose } from '#shared/contract/payments.ts';
import { notFound } from '../http/errors.ts';
import {
  countRows,
  isBehind,
  mapPage,
  micros,
  type Page,
  type PageQuery,
  timeCursors,
  toFetch,
  toPage,
} from '../http/pages.ts';
import { toBigint, type Order } from '../projects/orders.ts';

/** A payment as the actions work with it; amounts are bigint MIST (R20). */
export interface PaymentRow {
  id: string;
  userId: number;
  walletAddress: string;
  purpose: Purpose;
  state: PaymentState;
  projectId: number | null;
  draft: unknown;
  orderHash: string;
  amountMist: bigint;
  receivedMist: bigint | null;
  /** The wallet that the payer was told to pay; null in rows from before it was stored. */
  recipient: string | null;
  paidBy: string | null;
  refundedMist: bigint | null;
  refundDigest: string | null;
  digest: string | null;
  transaction: Buffer | null;
  signature: string | null;
  failure: string | null;
  note: string | null;
  signedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

const toRow = (
  row: Omit<Selectable<Payments>, 'amountMist' | 'receivedMist' | 'refundedMist'> & {
    amountMist: string;
    receivedMist: string | null;
    refundedMist: string | null;
    walletAddress: string;
  },
): PaymentRow => ({
  ...row,
  purpose: row.purpose as Purpose,
  state: row.state as PaymentState,
  amountMist: BigInt(row.amountMist),
  receivedMist: row.receivedMist === null ? null : BigInt(row.receivedMist),
  refundedMist: row.refundedMist === null ? null : BigInt(row.refundedMist),
});

function paymentRows(db: Db) {
  return db
    .selectFrom('payments')
    .innerJoin('users', 'users.id', 'payments.userId')
    .selectAll('payments')
    .select('users.walletAddress')
    .select([
      sql<string>`payments.amount_mist::text`.as('amountMist'),
      sql<string | null>`payments.received_mist::text`.as('receivedMist'),
      sql<string | null>`payments.refunded_mist::text`.as('refundedMist'),
    ]);
}

export async function findPayment(db: Db, id: string): Promise<PaymentRow | null> {
  const row = await paymentRows(db).where('payments.id', '=', id).executeTakeFirst();
  return row ? toRow(row) : null;
}

/** As findPayment, and nobody else changes it before the transaction ends. */
export async function lockPayment(trx: Db, id: string): Promise<PaymentRow | null> {
  const row = await paymentRows(trx).where('payments.id', '=', id).forUpdate('payments').executeTakeFirst();
  return row ? toRow(row) : null;
}

/** The user's payment with this digest, unless it came to nothing. */
export async function findByDigest(db: Db, userId: number, digest: string): Promise<PaymentRow | null> {
  const row = await paymentRows(db)
    .where('payments.userId', '=', userId)
    .where('payments.digest', '=', digest)
    .where('payments.state', 'not in', ['failed', 'expired'])
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

/** Whether money of this transaction was already taken for an order (but `exceptId`), of whomever. */
export async function isDigestUsed(db: Db, digest: string, exceptId?: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('digest', '=', digest)
    .where('state', 'in', ['paid', 'fulfilled', 'unclaimed', 'refunded'])
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? ''))
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewPayment {
  userId: number;
  purpose: Purpose;
  projectId: number | null;
  draft: object;
  orderHash: string;
  amountMist: bigint;
  /** One of `payment_recipients`. */
  recipient: string;
  /** How long it may be signed from now on. */
  ttlMs: number;
}

/** A user's orders that nobody has paid for: those that still may be paid, and all of the last day. */
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

/** Drafts of one user are counted and written one at a time; held until the transaction ends. */
export const lockDrafts = (trx: Db, userId: number): Promise<unknown> =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`drafts of user ${userId}`}, 0))`.execute(trx);

export async function insertDraft(db: Db, payment: NewPayment): Promise<PaymentRow> {
  const { id } = await db
    .insertInto('payments')
    .values(newRow(payment, 'draft'))
    .returning('id')
    .executeTakeFirstOrThrow();
  return found(db, id);
}

function newRow({ ttlMs, draft, amountMist, ...payment }: NewPayment, state: PaymentState) {
  return {
    ...payment,
    state,
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

/**
 * Ties a digest to the user's unpaid draft of the same order, or makes a payment of its own for it. Null when another
 * payment of the user took the digest in this moment.
 */
export async function claimDigest(db: Db, payment: NewPayment, digest: string): Promise<PaymentRow | null> {
  const signed = {
    state: 'signed',
    digest,
    signedAt: sql<Date>`now()`,
    nextTryAt: graceEnd,
    updatedAt: sql<Date>`now()`,
  };
  try {
    const drafted = await db
      .updateTable('payments')
      .set(signed)
      .where('id', '=', (eb) =>
        eb
          .selectFrom('payments')
          .select('id')
          .where('userId', '=', payment.userId)
          .where('orderHash', '=', payment.orderHash)
          .where('state', 'in', ['draft', 'expired'])
          .orderBy('createdAt', 'desc')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning('id')
      .executeTakeFirst();
    if (drafted) return await found(db, drafted.id);
    const { id } = await db
      .insertInto('payments')
      .values({ ...newRow(payment, 'signed'), ...signed })
      .returning('id')
      .executeTakeFirstOrThrow();
    return await found(db, id);
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** The request that just named a digest goes on with it; the job takes over after this. */
const graceEnd = sql<Date>`now() + interval '10 seconds'`;

/** Digests that the user named and no node has shown, beside transactions that the server executes itself. */
export async function countUnseenClaims(db: Db, userId: number): Promise<number> {
  const { claims } = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('claims'))
    .where('userId', '=', userId)
    .where('state', '=', 'signed')
    .where('transaction', 'is', null)
    .executeTakeFirstOrThrow();
  return claims;
}

/** Another payment of the user for the same order whose money is on its way or here. */
export async function findOpenTwin(db: Db, { userId, orderHash, id }: OrderKey): Promise<PaymentRow | null> {
  const row = await paymentRows(db)
    .where('payments.userId', '=', userId)
    .where('payments.orderHash', '=', orderHash)
    .where('payments.state', 'in', ['signed', 'paid'])
    .$if(id !== undefined, (query) => query.where('payments.id', '<>', id ?? ''))
    .orderBy('payments.createdAt')
    .executeTakeFirst();
  return row ? toRow(row) : null;
}

type OrderKey = Pick<NewPayment, 'userId' | 'orderHash'> & { id?: string };

/**
 * Keeps a signed transaction before it is executed, unless the draft is no longer open, or another payment of the same order
 * is on its way: of several tabs that sign at once, one pays. The rows of the order are locked meanwhile, always in the same order.
 */
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
  const result = await trx
    .updateTable('payments')
    .set({
      state: 'signed',
      digest: signed.digest,
      transaction: Buffer.from(signed.transaction),
      signature: signed.signature,
      signedAt: sql<Date>`now()`,
      nextTryAt: graceEnd,
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Keeps the digest that a wallet which sent by itself told; nothing happens to a payment that has one. */
export async function nameDigest(db: Db, id: string, digest: string): Promise<void> {
  await db
    .updateTable('payments')
    .set({ state: 'signed', digest, signedAt: sql<Date>`now()`, nextTryAt: graceEnd, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', ['draft', 'expired'])
    .execute();
}

/** draft → expired: nothing is executed for it any more; false when it is no draft (any longer). */
export async function cancelDraft(db: Db, id: string): Promise<boolean> {
  const result = await db
    .updateTable('payments')
    .set({ state: 'expired', expiresAt: sql<Date>`least(expires_at, now())`, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'draft')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export interface Change {
  state: PaymentState;
  chainId?: string;
  receivedMist?: bigint;
  paidBy?: string | null;
  refundedMist?: bigint;
  refundDigest?: string | null;
  projectId?: number;
  failure?: string | null;
  note?: string | null;
}

/** Moves a payment on, if it is still in one of the given states; false when somebody else was faster. */
export async function moveOn(db: Db, id: string, from: PaymentState[], change: Change): Promise<boolean> {
  const { receivedMist, refundedMist, ...rest } = change;
  const result = await db
    .updateTable('payments')
    .set({
      ...rest,
      ...(receivedMist === undefined ? {} : { receivedMist: toBigint(receivedMist) }),
      ...(refundedMist === undefined ? {} : { refundedMist: toBigint(refundedMist) }),
      tries: 0,
      nextTryAt: graceEnd,
      updatedAt: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The next try comes later and later, from 5 seconds to 5 minutes. */
export async function postpone(db: Db, id: string): Promise<number> {
  const { tries } = await db
    .updateTable('payments')
    .set({
      tries: sql<number>`tries + 1`,
      nextTryAt: sql<Date>`now() + least(5 * 2 ^ least(tries, 10), 300) * interval '1 second'`,
    })
    .where('id', '=', id)
    .returning('tries')
    .executeTakeFirstOrThrow();
  return tries;
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** The order of a payment, as `carryOut` takes it; null when its project was never one of ours. */
export function orderOf({ purpose, projectId, draft }: PaymentRow): Order | null {
  if (purpose === 'submit') return { purpose, draft: draft as Extract<Order, { purpose: 'submit' }>['draft'] };
  if (projectId === null) return null;
  if (purpose === 'renew') return { purpose, projectId };
  return { purpose, projectId, draft: draft as Extract<Order, { purpose: 'update' }>['draft'] };
}

/** A payment as its payer sees it. */
export function toPayment(row: PaymentRow, projectName: string | null): Payment {
  return {
    paymentId: row.id,
    purpose: row.purpose,
    state: row.state,
    phase: PHASE_OF[row.state],
    projectId: row.projectId,
    projectName,
    amountMist: row.amountMist.toString(),
    receivedMist: row.receivedMist?.toString() ?? null,
    transactionHash: row.digest,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export interface ListFilter {
  userId?: number;
  state?: PaymentState | undefined;
}

export interface NamedPayment {
  row: PaymentRow;
  /** Of the project that the payment is for, or of its draft. */
  projectName: string | null;
}

function namedRows(db: Db) {
  return paymentRows(db)
    .leftJoin('projects', 'projects.id', 'payments.projectId')
    .select(sql<string | null>`coalesce(projects.name, payments.draft ->> 'name')`.as('projectName'))
    .select(micros('payments.createdAt').as('time'));
}

type NamedRow = Awaited<ReturnType<ReturnType<typeof namedRows>['executeTakeFirstOrThrow']>>;
const toNamed = ({ projectName, ...row }: NamedRow): NamedPayment => ({ row: toRow(row), projectName });

/** A payment with the name of what it is for. @throws 404 */
export async function findNamedPayment(db: Db, id: string): Promise<NamedPayment> {
  const row = await namedRows(db).where('payments.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('payment_not_found', 'Payment not found');
  return toNamed(row);
}

/** Payments with the names of what they are for, newest first. */
export async function listPaymentRows(
  db: Db,
  { userId, state }: ListFilter,
  page: PageQuery,
): Promise<Page<NamedPayment>> {
  const cursors = timeCursors(`payments:${userId ?? ''}:${state ?? ''}`);
  const before = cursors.read(page);
  const [rows, total] = await Promise.all([
    namedRows(db)
      .$if(userId !== undefined, (query) => query.where('payments.userId', '=', userId ?? 0))
      .$if(state !== undefined, (query) => query.where('payments.state', '=', state ?? ''))
      .$if(before !== null, (query) => query.where(isBehind(['payments.createdAt', 'payments.id'], before ?? [0, ''])))
      .orderBy('payments.createdAt', 'desc')
      .orderBy('payments.id', 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(
      db,
      db
        .selectFrom('payments')
        .select('id')
        .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? 0))
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? '')),
    ),
  ]);
  return mapPage(
    toPage(rows, page, ({ time, id }) => cursors.write([time, id]), total),
    toNamed,
  );
}
