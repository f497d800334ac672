import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { LOCK_HOLDER } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { ensureState } from './cursor.ts';

/*
 * A closed day must contain every row that is dated into it, whatever the clocks do. So rows are dated from `totals_state.open_from` on
 * (db/functions/vote_time.sql), which is committed before the day is read, and rows dated before it can no longer be undone. Statements
 * that began earlier may not know it, so the close waits for them.
 */

/** Transactions that have a snapshot or have written, and whether they have. */
async function openTransactions(db: Db): Promise<Map<string, boolean>> {
  const { rows } = await sql<{ id: string; hasWritten: boolean }>`
    SELECT l.virtualtransaction AS id, a.backend_xid IS NOT NULL AS "hasWritten"
    FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'virtualxid' AND l.mode = 'ExclusiveLock'
    WHERE a.datname = current_database() AND a.usesysid IS NOT NULL AND a.pid <> pg_backend_pid() AND a.application_name <> ${LOCK_HOLDER}
      AND (a.backend_xid IS NOT NULL OR a.backend_xmin IS NOT NULL)`.execute(db);
  return new Map(rows.map(({ id, hasWritten }) => [id, hasWritten]));
}

const POLL_MS = 20;
const WRITER_MS = 500;
/** Long reads such as a backup delay nothing: a statement that writes what it has dated does so within moments. */
const READER_MS = 5_000;

/** False while one of these transactions has written and is still open. */
async function haveEnded(db: Db, ids: ReadonlySet<string>): Promise<boolean> {
  const startedMs = performance.now();
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const left = [...(await openTransactions(db))].filter(([id]) => ids.has(id));
    const tookMs = performance.now() - startedMs;
    if (left.length === 0) return true;
    if (tookMs > WRITER_MS && left.some(([, hasWritten]) => hasWritten)) return false;
    if (tookMs > READER_MS) return true;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await wait(POLL_MS);
  }
}

/** Ends what is dated before this moment, for good. False while a transaction that has written, and began before, stays open: try again later. */
export async function endUntil(db: Db, until: string): Promise<boolean> {
  await ensureState(db);
  await sql`UPDATE totals_state SET open_from = greatest(open_from, ${until}::timestamptz)`.execute(db);
  const open = await openTransactions(db);
  return haveEnded(db, new Set(open.keys()));
}
