import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { deleteInBatches } from '#db/delete-in-batches.ts';
import type { Progress } from './pace.ts';

const DAY_MS = 86_400_000;
const RESERVE_MS = 3 * 3_600_000;
/** With a shorter time to choose from, the moment could be guessed. */
const MIN_CHOICE_MS = 3_600_000;

export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

export function drawMoments(now: Date, draw: (below: number) => number = randomInt): [Date, Date] | null {
  const endMs = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  const choiceMs = endMs - RESERVE_MS - now.getTime();
  if (choiceMs < MIN_CHOICE_MS) return null;
  const [one, other] = [draw(choiceMs), draw(choiceMs)];
  const at = (ms: number): Date => new Date(now.getTime() + ms);
  return [at(Math.min(one, other)), at(Math.max(one, other))];
}

export async function planDay(db: Db, now: Date, moments = drawMoments(now)): Promise<void> {
  if (moments === null) return;
  const day = utcDay(now);
  await sql`INSERT INTO standing_readings (day, reading, starts_at)
    SELECT ${day}::date, m.reading, m.starts_at FROM (VALUES (1, ${moments[0]}::timestamptz), (2, ${moments[1]}::timestamptz)) AS m (reading, starts_at)
    WHERE NOT EXISTS (SELECT FROM standing_days WHERE day = ${day}::date)
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Future days skipped by a clock that ran ahead, except those whose figures are closed with them. */
const closedEarly = (day: string) => sql`d.day >= ${day}::date AND d.skipped IS NOT NULL
  AND NOT EXISTS (SELECT FROM closed_days c WHERE c.day >= d.day)
  AND NOT EXISTS (SELECT FROM standing_readings r WHERE r.day = d.day AND r.failed_because IS NOT NULL)`;

export async function reopenDays(db: Db, now: Date): Promise<void> {
  await sql`DELETE FROM standing_days d WHERE ${closedEarly(utcDay(now))}`.execute(db);
}

export async function hasWork(db: Db, now: Date): Promise<boolean> {
  const day = utcDay(now);
  const { rows } = await sql<{ hasWork: boolean }>`
    SELECT EXISTS (SELECT FROM standing_days d WHERE ${closedEarly(day)}) OR NOT EXISTS (SELECT FROM standing_days WHERE day >= ${day}::date) AND (
      NOT EXISTS (SELECT FROM standing_readings WHERE day = ${day}::date)
      OR NOT EXISTS (SELECT FROM standing_days WHERE day = ${day}::date - 1)
        AND EXISTS (SELECT FROM standing_days WHERE day < ${day}::date UNION ALL SELECT FROM standing_readings WHERE day < ${day}::date)
      OR EXISTS (SELECT FROM (SELECT starts_at, paused_until FROM standing_readings WHERE day = ${day}::date AND finished_at IS NULL ORDER BY reading LIMIT 1) r
        WHERE starts_at <= ${now} AND (paused_until IS NULL OR paused_until <= ${now}))
    ) AS "hasWork"`.execute(db);
  return rows[0]?.hasWork ?? true;
}

export const closeMissedDays = (db: Db, now: Date): Promise<void> => closeDaysBefore(db, utcDay(now));

/** Skips the days before this one that were not read to their end. */
export async function closeDaysBefore(db: Db, today: string): Promise<void> {
  await sql`
    WITH missed AS (
      SELECT d.day::date AS day FROM (SELECT coalesce((SELECT max(day) + 1 FROM standing_days), (SELECT min(day) FROM standing_readings)) AS day) first,
        generate_series(first.day, ${today}::date - 1, interval '1 day') AS d (day)
      WHERE first.day IS NOT NULL
    )
    INSERT INTO standing_days (day, skipped)
    SELECT m.day, coalesce(
      (SELECT CASE WHEN r.started_at IS NULL THEN 'A reading could not start before the end of the day'
        ELSE 'The balances could not all be read before the end of the day' END
       FROM standing_readings r WHERE r.day = m.day AND r.finished_at IS NULL ORDER BY r.reading LIMIT 1),
      'The server was not running, or started too late in the day')
    FROM missed m ON CONFLICT DO NOTHING`.execute(db);
  await deleteInBatches(db, {
    table: 'standing_reads',
    find: (limit) => sql`SELECT ctid FROM standing_reads WHERE day < ${today}::date LIMIT ${limit}`,
  });
}

export interface Reading extends Progress {
  day: string;
  startedAt: Date | null;
  pauseMs: number;
}

export async function dueReading(db: Db, now: Date): Promise<Reading | null> {
  const day = utcDay(now);
  const { rows } = await sql<Reading>`
    SELECT day::text AS day, reading, wallets, wallets_read AS "walletsRead", started_at AS "startedAt",
      max_per_second AS "maxPerSecond", pause_ms AS "pauseMs" FROM standing_readings r
    WHERE day = ${day}::date AND finished_at IS NULL AND starts_at <= ${now}
      AND NOT EXISTS (SELECT FROM standing_days d WHERE d.day = r.day)
    ORDER BY reading LIMIT 1`.execute(db);
  return rows[0] ?? null;
}
