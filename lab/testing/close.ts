import { sql } from 'kysely';
import { LOCK_HOLDER } from '#db/advisory-locks.ts';
import type { Db } from '#db/client.ts';
import { HttpError } from '#server/kit/http/errors.ts';
import { closeDaysAt } from '#server/record/close-days.ts';

type Closing = Parameters<typeof closeDaysAt>[0];

const DAY_MS = 86_400_000;
const GRACE_MS = 6 * 60_000;

/** Deletes the figures of all closed days, for votes that a test moves to the past. */
export async function reopenDays(db: Db): Promise<void> {
  await sql`UPDATE totals_state SET counted_until = '-infinity', holders_until = '-infinity', open_from = '-infinity', moves = moves + 1, recount_started_at = NULL, recount_user = 0`.execute(
    db,
  );
  // Figures that a test has stored stay while no day is closed.
  for (const table of ['project_days', 'opinion_days'])
    await sql`DELETE FROM ${sql.table(table)} WHERE EXISTS (SELECT FROM closed_days)`.execute(db);
  for (const table of ['totals', 'recounted_totals', 'closed_days'])
    await sql`DELETE FROM ${sql.table(table)}`.execute(db);
}

/** A day waits for open transactions, for instance that of a heartbeat that waits for other commits. */
async function untilQuiet(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid() AND xact_start IS NOT NULL AND application_name <> ${LOCK_HOLDER}`.execute(db);
    if (rows.length === 0) return;
  }
}

/** Closes the days up to this one, as if it were over. Later votes are then votes of the day after it. */
export async function closeUpTo(services: Closing, day: string): Promise<void> {
  for (;;) {
    await untilQuiet(services.db);
    try {
      await closeDaysAt(services, { now: new Date(Date.parse(day) + DAY_MS + GRACE_MS), upTo: day });
      return;
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'open_transaction') throw error;
    }
  }
}

/** Closes today, or the day after the newest closed one; returns that day. */
export async function closeToday(services: Closing): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    SELECT greatest((clock_timestamp() AT TIME ZONE 'UTC')::date, (SELECT max(day) + 1 FROM closed_days), (SELECT max(day) + 1 FROM log_checkpoints))::text AS day`.execute(
    services.db,
  );
  const [row] = rows;
  if (!row) throw new Error('there is no day');
  await closeUpTo(services, row.day);
  return row.day;
}
