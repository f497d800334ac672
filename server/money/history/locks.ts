import { sql } from 'kysely';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';

/** Servers that read a transaction, and a request that names it, enter it once. */
export async function lockTransaction(trx: Db, digest: string): Promise<void> {
  const name = ADVISORY_LOCK_NAMES.transaction(digest);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}

/** Uses the order of all transactions. */
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
