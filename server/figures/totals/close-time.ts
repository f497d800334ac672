import { sql } from 'kysely';
import { setTimeout as wait } from 'node:timers/promises';
import { ADVISORY_LOCKS, LOCK_HOLDER } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import type { Services } from '#server/kit/services.ts';
import { ensureState, resetTotals } from './cursor.ts';

/*
 * Totals, holders, days and the record read by time what is new, and must miss no row that a clock dates earlier than what was read. So rows are dated
 * from `totals_state.open_from` on (db/functions/vote_time.sql), which is committed before anything up to there is read, and a row dated before it
 * cannot be undone. Statements that began earlier may not know it: they end first. No clock has a part in that.
 */

export type CloseServices = Pick<Services, 'db' | 'undoWindowMs'>;

/** Rows are dated ahead of a clock that was set back by this much. Beyond, the clock is believed, and everything is counted again. */
const MOST_AHEAD = sql`interval '5 minutes'`;

interface Closing {
  closed: string;
  countedUntil: string;
}

async function moveOpenFrom({ db, undoWindowMs }: CloseServices): Promise<Closing> {
  return longTransaction(db, async (trx) => {
    // A batch of the record that is being written ends at a moment that stays closed.
    const { rows: wrong } =
      await sql`SELECT FROM (SELECT FROM totals_state WHERE open_from > clock_timestamp() + ${MOST_AHEAD} FOR UPDATE) s
      WHERE pg_try_advisory_xact_lock(${sql.lit(ADVISORY_LOCKS.record)})`.execute(trx);
    if (wrong.length > 0) {
      await resetTotals(trx);
      await sql`UPDATE totals_state SET open_from = '-infinity'`.execute(trx);
    }
    const end = sql`clock_timestamp() - ${undoWindowMs} * interval '1 millisecond'`;
    // The clock may be behind what is closed.
    const { rows } = await sql<Closing>`UPDATE totals_state SET open_from = greatest(open_from, ${end})
      RETURNING least(open_from, ${end})::text AS closed, counted_until::text AS "countedUntil"`.execute(trx);
    const [state] = rows;
    if (!state) throw new Error('the totals have no state');
    return state;
  });
}

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

/** False while one of them that has written stays open. */
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

/** The moment before which rows are no longer written or undone: now less the time of undo, or what is counted while an older transaction is open. */
export async function closeTime(services: CloseServices): Promise<string> {
  await ensureState(services.db);
  const { closed, countedUntil } = await moveOpenFrom(services);
  const open = await openTransactions(services.db);
  return (await haveEnded(services.db, new Set(open.keys()))) ? closed : countedUntil;
}
