import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { LedgerKind } from '#db/schema.ts';

/** Rewards are not among these: they are the votes themselves (db/functions/cast_votes.sql). */
export interface Entry {
  userId: number;
  kind: Exclude<LedgerKind, 'vote_reward'>;
  /** The id of the review for a burn, of the withdrawal for any other entry. */
  ref: number;
  amount: number;
}

export async function lockBalance(trx: Db, userId: number): Promise<number> {
  const row = await trx
    .selectFrom('userStats')
    .select('balance')
    .where('userId', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.balance;
}

/** Besides the functions of votes, the only writer of entries and balances (R13). */
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
