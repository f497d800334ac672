import type { Selectable } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Withdrawals } from '#db/schema.ts';
import { WITHDRAWAL_STATES } from '#shared/states/withdrawal.ts';
import { WITHDRAWALS_PAUSED } from '#shared/constants.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';

export type WithdrawalRow = Selectable<Withdrawals>;

export function toWithdrawal(row: Omit<WithdrawalRow, 'userId' | 'idempotencyKey'>): Withdrawal {
  const { id, tokenAmount, walletAddress, digest, reason, paidEarlier } = row;
  return {
    id,
    tokenAmount,
    walletAddress,
    state: row.state,
    digest,
    paidEarlier,
    reason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export async function listOwn(db: Db, userId: number, page: PageQuery): Promise<Page<Withdrawal>> {
  const rows = db.selectFrom('withdrawals').where('userId', '=', userId).selectAll();
  return mapPage(await listById(db, { name: `withdrawals:${userId}`, page, rows }), toWithdrawal);
}

/** With `lock` the result is valid until the transaction ends: no request bypasses a pause (S3.10). */
export async function isPaused(db: Db, { lock = false } = {}): Promise<boolean> {
  const query = db.selectFrom('config').select('configValue').where('configKey', '=', WITHDRAWALS_PAUSED);
  const row = await (lock ? query.forShare() : query).executeTakeFirst();
  return row?.configValue === 'true';
}

const OPEN_STATES = WITHDRAWAL_STATES.filter((state) => state !== 'paid' && state !== 'rejected');

export async function hasOpenWithdrawal(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('userId', '=', userId)
    .where('state', 'in', OPEN_STATES)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findByKey(db: Db, userId: number, idempotencyKey: string): Promise<WithdrawalRow | null> {
  const row = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('userId', '=', userId)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst();
  return row ?? null;
}

export function insertWithdrawal(
  trx: Db,
  values: { userId: number; walletAddress: string; tokenAmount: number; idempotencyKey?: string },
): Promise<WithdrawalRow> {
  return trx.insertInto('withdrawals').values(values).returningAll().executeTakeFirstOrThrow();
}
