import { sql } from 'kysely';
import type { Db } from './client.ts';

/** Limit of a job's statement that reads more than any request may. */
const LIMIT = '10min';

/** A transaction of a job, whose statements have a time limit of their own instead of that of requests. */
export function longTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`SET LOCAL statement_timeout = ${sql.lit(LIMIT)}`.execute(trx);
    return work(trx);
  });
}
