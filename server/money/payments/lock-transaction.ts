import { sql } from 'kysely';
import { ADVISORY_LOCK_NAMES } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';

/** Makes concurrent requests that name a transaction store it once. */
export async function lockTransaction(trx: Db, digest: string): Promise<void> {
  const name = ADVISORY_LOCK_NAMES.transaction(digest);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
}
