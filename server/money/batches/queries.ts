import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { Db } from '#db/client.ts';
import type { DB, PayoutBatches } from '#db/schema.ts';
import type { PayoutTerms } from '#chain/payout.ts';
import type { PayoutBatch } from '#shared/contract/admin.ts';
import { PAYOUT_MOVES } from '#shared/states/payout.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { listByTime, mapPage, micros, type Page, type PageQuery } from '#server/kit/http/pages.ts';

export interface Item {
  withdrawalId: number;
  userId: number;
  walletAddress: string;
  tokenAmount: number;
  amountUnits: bigint;
}

export type BatchRow = Selectable<PayoutBatches> & { items: Item[] };

const NOTES: Record<string, string> = {
  rejected: 'The chain rejected the transaction; nothing was paid',
  failed_on_chain: 'The transaction failed on chain; nothing was paid',
  short: 'The transaction did not pay every recipient the agreed amount',
  refused:
    'A node did not accept the transaction, which can still be executed until its epoch ends. Then its withdrawals can be paid again',
  unseen: 'The transaction did not appear on the chain within a day',
  expired: 'The transaction was not executed before it expired; nothing was paid',
};

export function toBatch({ id, state, coinType, sender, digest, failureCode, items, createdAt }: BatchRow): PayoutBatch {
  return {
    batchId: id,
    state,
    coinType,
    sender,
    digest,
    note: failureCode === null ? null : (NOTES[failureCode] ?? failureCode),
    recipients: items.map(({ withdrawalId, walletAddress, tokenAmount, amountUnits }) => ({
      withdrawalId,
      walletAddress,
      tokenAmount,
      amountUnits: String(amountUnits),
    })),
    createdAt: createdAt.toISOString(),
  };
}

async function itemsOf(db: Db, batchIds: string[]): Promise<Map<string, Item[]>> {
  const rows = await db
    .selectFrom('payoutItems')
    .innerJoin('withdrawals', 'withdrawals.id', 'payoutItems.withdrawalId')
    .selectAll('payoutItems')
    .select('withdrawals.userId')
    .where('payoutItems.batchId', 'in', batchIds)
    .orderBy('payoutItems.withdrawalId')
    .execute();
  const found = new Map<string, Item[]>(batchIds.map((id) => [id, []]));
  for (const { batchId, amountUnits, ...row } of rows)
    found.get(batchId)?.push({ ...row, amountUnits: BigInt(amountUnits) });
  return found;
}

/** `lock`: no other transaction changes the batch until this one ends. */
export async function findBatch(db: Db, id: string, { lock = false } = {}): Promise<BatchRow> {
  const query = db.selectFrom('payoutBatches').selectAll().where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw notFound('payout_not_found', 'Payout not found');
  return { ...row, items: (await itemsOf(db, [id])).get(id) ?? [] };
}

export async function listBatches(db: Db, page: PageQuery): Promise<Page<BatchRow>> {
  const rows = db.selectFrom('payoutBatches').selectAll().select(micros('createdAt').as('time'));
  const listed = await listByTime(db, { name: 'payouts', page, rows, table: 'payoutBatches' });
  const ids = listed.rows.map(({ id }) => id);
  const items = ids.length > 0 ? await itemsOf(db, ids) : new Map<string, Item[]>();
  return mapPage(listed, (row) => ({ ...row, items: items.get(row.id) ?? [] }));
}

export async function moveBatch(
  db: Db,
  id: string,
  move: keyof typeof PAYOUT_MOVES,
  change: UpdateObject<DB, 'payoutBatches'> = {},
): Promise<boolean> {
  const { from, to } = PAYOUT_MOVES[move];
  const { numUpdatedRows } = await db
    .updateTable('payoutBatches')
    .set({ ...change, state: to, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export const termsOf = ({ items, coinType, sender }: BatchRow, owner: string): PayoutTerms => ({
  sender: sender ?? owner,
  coinType: coinType ?? '',
  transfers: items.map(({ walletAddress, amountUnits }) => ({ address: walletAddress, amountUnits })),
});
