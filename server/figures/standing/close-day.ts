import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import type { Reading } from './plan.ts';

type Key = Pick<Reading, 'day' | 'reading'>;

/** Share of unread wallets above which the day is skipped. */
const UNREAD_ONE_IN = 100;

interface Counts {
  wallets: number;
  unread: number;
}

async function claimReading(trx: Db, { day, reading }: Key): Promise<boolean> {
  const { rows } =
    await sql`SELECT FROM standing_readings r WHERE day = ${day}::date AND reading = ${reading} AND finished_at IS NULL
    AND NOT EXISTS (SELECT FROM standing_days d WHERE d.day = r.day) FOR UPDATE`.execute(trx);
  return rows.length > 0;
}

/** Wallets asked by each reading so far, with their answers. A wallet whose first vote came between the two readings was not asked that day. */
const askedBy = ({
  day,
  reading,
}: Key) => sql`SELECT user_id, count(has_enough) AS answers, bool_and(has_enough) AS held
  FROM standing_reads WHERE day = ${day}::date GROUP BY user_id HAVING count(*) = ${sql.lit(reading)}`;

async function finishReading(trx: Db, { day, reading }: Key, now: Date): Promise<'finished' | 'failed'> {
  const { rows } =
    await sql<Counts>`SELECT count(*) AS wallets, count(*) FILTER (WHERE answers < ${sql.lit(reading)}) AS unread
    FROM (${askedBy({ day, reading })}) a`.execute(trx);
  const { wallets, unread } = rows[0] ?? { wallets: 0, unread: 0 };
  const failedBecause = unread * UNREAD_ONE_IN > wallets ? `${unread} of ${wallets} balances could not be read` : null;
  await sql`UPDATE standing_readings SET finished_at = ${now}, unread = ${unread}, failed_because = ${failedBecause}
    WHERE day = ${day}::date AND reading = ${reading}`.execute(trx);
  if (failedBecause === null) return 'finished';
  await sql`INSERT INTO standing_days (day, skipped) VALUES (${day}::date, ${failedBecause}) ON CONFLICT DO NOTHING`.execute(
    trx,
  );
  await sql`DELETE FROM standing_reads WHERE day = ${day}::date`.execute(trx);
  return 'failed';
}

async function applyDay(trx: Db, day: string): Promise<void> {
  // One pass without a join: the statistics may lack this day's rows.
  const asked = askedBy({ day, reading: 2 });
  const closed = await sql`INSERT INTO standing_days (day, wallets, standing, unread)
    SELECT ${day}::date, count(*) FILTER (WHERE answers = 2), count(*) FILTER (WHERE answers = 2 AND held), count(*) FILTER (WHERE answers < 2)
    FROM (${asked}) a ON CONFLICT DO NOTHING`.execute(trx);
  if (!closed.numAffectedRows) return;
  // Days of the site since the wallet was last asked, by which its histories shift.
  const passed = sql`(SELECT count(*)::int FROM standing_days d WHERE d.skipped IS NULL AND d.day > s.read_on AND d.day <= ${day}::date)`;
  await sql`INSERT INTO voter_standing AS s (user_id, read_on, history_read, history_held, history_unread)
    SELECT b.user_id, ${day}::date, (b.answers = 2)::int::bit(64), (b.answers = 2 AND b.held)::int::bit(64), (b.answers < 2)::int::bit(64)
    FROM (${asked}) b ORDER BY b.user_id
    ON CONFLICT (user_id) DO UPDATE SET read_on = excluded.read_on,
      history_read = (s.history_read << ${passed}) | excluded.history_read,
      history_held = (s.history_held << ${passed}) | excluded.history_held,
      history_unread = (s.history_unread << ${passed}) | excluded.history_unread
    WHERE s.read_on < excluded.read_on`.execute(trx);
  await sql`DELETE FROM standing_reads WHERE day = ${day}::date`.execute(trx);
}

/** Ends a reading, and with the second one the day: once, for any number of servers. */
export async function closeReading(db: Db, reading: Key, now: Date): Promise<void> {
  await longTransaction(db, async (trx) => {
    if (!(await claimReading(trx, reading))) return;
    const outcome = await finishReading(trx, reading, now);
    if (outcome === 'finished' && reading.reading === 2) await applyDay(trx, reading.day);
  });
}
