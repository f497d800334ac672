import type { Db } from '#db/client.ts';

/** Locks the balances of all recipients that are users, in the order in which every transaction locks them. */
export async function lockUsers(trx: Db, transfers: ReadonlyArray<{ recipient: string }>): Promise<void> {
  if (transfers.length === 0) return;
  await trx
    .selectFrom('userStats')
    .innerJoin('users', 'users.id', 'userStats.userId')
    .select('userStats.userId')
    .where(
      'users.walletAddress',
      'in',
      transfers.map(({ recipient }) => recipient),
    )
    .orderBy('userStats.userId')
    .forUpdate('userStats')
    .execute();
}
