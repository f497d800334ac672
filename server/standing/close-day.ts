import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { STANDING_WINDOW_DAYS } from '#shared/states/votes.ts';
import type { Reading } from './plan.ts';

type Key = Pick<Reading, 'day' | 'reading'>;

/** A reading fails when more than one in this many wallets could not be read. */
const UNREAD_ONE_IN = 20;

interface Counts {
  wallets: number;
  unread: number;
}

/** Whether this server ends the reading: no other one has, and the day has not been closed at its end. */
async function claimReading(trx: Db, { day, reading }: Key): Promise<boolean> {
  const { rows } =
    await sql`SELECT FROM standing_readings r WHERE day = ${day}::date AND reading = ${reading} AND finished_at IS NULL
    AND NOT EXISTS (SELECT FROM standing_days d WHERE d.day = r.day) FOR UPDATE`.execute(trx);
  return rows.length > 0;
}

/** Ends a reading whose wallets have all been read. One with too many unread wallets skips the day. */
async function finishReading(trx: Db, { day, reading }: Key, now: Date): Promise<'finished' | 'failed'> {
  const { rows } = await sql<Counts>`SELECT count(*) AS wallets, count(*) FILTER (WHERE has_enough IS NULL) AS unread
    FROM standing_reads WHERE day = ${day}::date AND reading = ${reading}`.execute(trx);
  const { wallets, unread } = rows[0] ?? { wallets: 0, unread: 0 };
  const failedBecause =
    unread * UNREAD_ONE_IN > wallets
      ? `${unread} of ${wallets} balances could not be read in reading ${reading}`
      : null;
  await sql`UPDATE standing_readings SET finished_at = ${now}, unread = ${unread}, failed_because = ${failedBecause}
    WHERE day = ${day}::date AND reading = ${reading}`.execute(trx);
  if (failedBecause === null) return 'finished';
  await sql`INSERT INTO standing_days (day, skipped) VALUES (${day}::date, ${failedBecause}) ON CONFLICT DO NOTHING`.execute(
    trx,
  );
  await sql`DELETE FROM standing_reads WHERE day = ${day}::date`.execute(trx);
  return 'failed';
}

/**
 * Results of both readings, for the day and for each voter. A wallet that one of them could not read has no evidence
 * that day.
 */
async function applyDay(trx: Db, day: string): Promise<void> {
  // One pass, without a join: the statistics may not include this day's rows yet.
  const asked = sql`SELECT user_id, count(has_enough) AS answers, bool_and(has_enough) AS held FROM standing_reads
    WHERE day = ${day}::date GROUP BY user_id`;
  const closed = await sql`INSERT INTO standing_days (day, wallets, standing, unread)
    SELECT ${day}::date, count(*) FILTER (WHERE answers = 2), count(*) FILTER (WHERE answers = 2 AND held), count(*) FILTER (WHERE answers < 2)
    FROM (${asked}) a ON CONFLICT DO NOTHING`.execute(trx);
  // Another server has skipped the day at its end, at this moment.
  if (!closed.numAffectedRows) return;
  // A voter who comes back begins again: readings before the last seven days read do not apply to today.
  const oldest = sql`(SELECT day FROM standing_days WHERE skipped IS NULL AND day <= ${day}::date ORDER BY day DESC
    OFFSET ${sql.lit(STANDING_WINDOW_DAYS - 1)} LIMIT 1)`;
  // Days of the site since the wallet was last read, including this one: its history shifts by this number.
  const passed = sql`(SELECT count(*)::int FROM standing_days d WHERE d.skipped IS NULL AND d.day > s.read_on AND d.day <= ${day}::date)`;
  await sql`INSERT INTO voter_standing AS s (user_id, read_on, days_read, days_held, history_read, history_held)
    SELECT b.user_id, ${day}::date, 1, b.held::int, 1::bit(64), b.held::int::bit(64) FROM (${asked}) b WHERE b.answers = 2 ORDER BY b.user_id
    ON CONFLICT (user_id) DO UPDATE SET read_on = excluded.read_on,
      days_read = CASE WHEN s.read_on < ${oldest} THEN 1 ELSE least(s.days_read + 1, ${sql.lit(STANDING_WINDOW_DAYS)}) END,
      days_held = CASE WHEN s.read_on < ${oldest} THEN excluded.days_held
        ELSE ((s.days_held << 1) | excluded.days_held) & ${sql.lit(2 ** STANDING_WINDOW_DAYS - 1)} END,
      history_read = (s.history_read << ${passed}) | excluded.history_read,
      history_held = (s.history_held << ${passed}) | excluded.history_held
    WHERE s.read_on < excluded.read_on`.execute(trx);
  await sql`DELETE FROM standing_reads WHERE day = ${day}::date`.execute(trx);
}

/** Ends a reading, and with the second one the day; all of it or nothing, and once, for any number of servers. */
export async function closeReading(db: Db, reading: Key, now: Date): Promise<void> {
  await longTransaction(db, async (trx) => {
    if (!(await claimReading(trx, reading))) return;
    const outcome = await finishReading(trx, reading, now);
    if (outcome === 'finished' && reading.reading === 2) await applyDay(trx, reading.day);
  });
}
