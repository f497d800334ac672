import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { LedgerKind } from '#db/schema.ts';

/**
 * A permanent change of a user's tokens. Rewards are the votes themselves, which the database counts
 * (db/functions/cast_votes.sql).
 */
export interface Entry {
  userId: number;
  kind: Exclude<LedgerKind, 'vote_reward'>;
  /** Subject of the entry: the review of a burn, the withdrawal of any other. */
  ref: number;
  amount: number;
}

/** Blocks every other change of this user's balance until the transaction ends; returns the balance. */
export async function lockBalance(trx: Db, userId: number): Promise<number> {
  const row = await trx
    .selectFrom('userStats')
    .select('balance')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.balance;
}

/**
 * Writes entries and changes the balances by the same amounts (R13): besides the votes' own function, the only writer
 * of both. Entries of one user that sum to zero do not change the balance.
 */
export async function post(trx: Db, ...entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const changes = new Map<number, number>();
  for (const { userId, amount } of entries) changes.set(userId, (changes.get(userId) ?? 0) + amount);
  for (const [userId, change] of [...changes].toSorted(([one], [other]) => one - other)) {
    if (change === 0) continue;
    // oxlint-disable-next-line no-await-in-loop -- users are locked in the order of their ids
    await trx
      .updateTable('userStats')
      .set({ balance: sql`balance + ${change}` })
      .where('userId', '=', userId)
      .execute();
  }
  const createdAt = sql<Date>`now()`;
  await trx
    .insertInto('tokenLedger')
    .values(entries.map((entry) => ({ ...entry, createdAt })))
    .execute();
}
