import { sql } from 'kysely';
import type { Db } from './client.ts';

/** Limit of a job's statement that reads more than any request may. */
const LIMIT = '10min';

interface LongOptions {
  /** Limit of each statement: '2h'. */
  limit?: string;
  /** All statements see the same snapshot; one that writes a row which has changed since fails (40001). */
  isSnapshot?: boolean;
}

/** A transaction of a job, whose statements have a time limit of their own instead of that of requests. */
export function longTransaction<T>(
  db: Db,
  work: (trx: Db) => Promise<T>,
  { limit = LIMIT, isSnapshot = false }: LongOptions = {},
): Promise<T> {
  const transaction = db.transaction();
  return (isSnapshot ? transaction.setIsolationLevel('repeatable read') : transaction).execute(async (trx) => {
    await sql`SELECT set_config('statement_timeout', ${limit}, true)`.execute(trx);
    return work(trx);
  });
}
