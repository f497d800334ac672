import { sql } from 'kysely';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';

/**
 * Lets one process at a time enter a transaction into the books: the servers that read it, and a request that names it.
 */
export async function lockTransaction(trx: Db, digest: string): Promise<void> {
  const name = ADVISORY_LOCK_NAMES.transaction(digest);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

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
