import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { type MoveServices, moveTotals } from '../totals/move.ts';

export async function countDays(services: MoveServices): Promise<void> {
  await moveTotals(services);
  await longTransaction(services.db, countDaysIn);
}

/**
 * Replaces the last count of the day, some minutes before midnight, by the recorded figures. Runs before each further
 * batch (publish.ts), whose totals replace these.
 */
export async function storeRecordedDay(trx: Db): Promise<void> {
  await sql`
    INSERT INTO project_days AS p (project_id, day, bullish, bearish, votes, verified_bullish, verified_bearish, rank_votes)
    SELECT r.project_id, c.day, k.bullish, k.bearish, 0, r.verified_bullish, r.verified_bearish, n.rank_votes
    FROM (SELECT day, until FROM log_checkpoints ORDER BY size DESC LIMIT 1) c
    CROSS JOIN (
      SELECT project_id, sum(verified_bullish)::bigint AS verified_bullish, sum(verified_bearish)::bigint AS verified_bearish
      FROM recorded_totals GROUP BY project_id
    ) r
    CROSS JOIN LATERAL (
      SELECT * FROM project_days d WHERE d.project_id = r.project_id AND d.day <= c.day ORDER BY d.day DESC LIMIT 1
    ) k
    CROSS JOIN LATERAL (
      SELECT least(r.verified_bullish + r.verified_bearish, (SELECT min(i.bullish + i.bearish) FROM open_identity_changes i
        WHERE i.project_id = r.project_id AND i.changed_at < c.until)) AS rank_votes
    ) n
    WHERE c.until = (c.day + 1)::timestamp AT TIME ZONE 'UTC'
      AND (k.verified_bullish, k.verified_bearish, k.rank_votes) IS DISTINCT FROM (r.verified_bullish, r.verified_bearish, n.rank_votes)
    ON CONFLICT (project_id, day) DO UPDATE SET verified_bullish = excluded.verified_bullish, verified_bearish = excluded.verified_bearish,
      rank_votes = excluded.rank_votes`.execute(trx);
}

/**
 * Counts again from the day until which all opinions were committed at the last count: a transaction may have been open
 * since, for days. And from the newest day, or the present one, where the clock was set back.
 */
async function countDaysIn(trx: Db): Promise<void> {
  const { rows } = await sql<{ first: string; until: string }>`
    SELECT least(d.day, (s.days_until AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date)::text AS first, s.counted_until::text AS until
    FROM totals_state s CROSS JOIN (SELECT coalesce(max(day), '-infinity') AS day FROM project_days) d`.execute(trx);
  const { first, until } = rows[0] ?? { first: '-infinity', until: '-infinity' };
  await sql`SELECT count_project_days(${first}::date)`.execute(trx);
  await sql`UPDATE totals_state SET days_until = ${until}::timestamptz`.execute(trx);
  await sql`SELECT count_trends()`.execute(trx);
  await storeRecordedDay(trx);
}
