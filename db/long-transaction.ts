import { sql } from 'kysely';
import type { Db } from './client.ts';

const LIMIT = '10min';

interface LongOptions {
  limit?: string;
  /** A write to a row that has changed since the snapshot fails (40001). */
  isSnapshot?: boolean;
}

/** A job's transaction, with a longer statement timeout than requests. */
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
