import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import { firstVoteAt } from '#server/books/opinions.ts';
import type { CloseServices } from '../totals/close-time.ts';
import { moveTotals } from '../totals/move.ts';

export async function countDays(services: CloseServices): Promise<void> {
  await moveTotals(services);
  const { db } = services;
  const { slices, until } = await longTransaction(db, slicesToCount);
  for (const slice of slices.slice(0, -1)) {
    // oxlint-disable-next-line no-await-in-loop -- each slice continues the one before
    await longTransaction(db, (trx) => countSlice(trx, slice));
  }
  await longTransaction(db, async (trx) => {
    for (const slice of slices.slice(-1)) await countSlice(trx, slice);
    await sql`UPDATE totals_state SET days_until = ${until}::timestamptz`.execute(trx);
    await sql`SELECT count_trends()`.execute(trx);
    await storeRecordedDay(trx);
  });
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

interface Slice {
  from: string;
  until: string;
}

/** Bounds a statement where no day is counted yet, as after a restore without them. */
const DAYS_PER_SLICE = 7;

/**
 * Counts again from the day until which all opinions were committed at the last count: a transaction may have been open
 * since, for days. And from the newest day, or the present one, where the clock was set back. The last slice begins before
 * today, if the count does, because a new day changes 'Now' of all projects.
 */
async function slicesToCount(trx: Db): Promise<{ slices: Slice[]; until: string }> {
  const { rows } = await sql<{ first: string; cuts: string[]; until: string }>`
    SELECT f.first::text AS first, s.counted_until::text AS until, ARRAY(
        SELECT x::date::text FROM generate_series(CASE WHEN f.first > '-infinity' THEN f.first ELSE (${firstVoteAt} AT TIME ZONE 'UTC')::date END
          + ${DAYS_PER_SLICE}::int, f.today - 1, ${DAYS_PER_SLICE} * interval '1 day') x) AS cuts
    FROM totals_state s
    CROSS JOIN (SELECT coalesce(max(day), '-infinity') AS day FROM project_days) d
    CROSS JOIN LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date AS today,
      least(d.day, (s.days_until AT TIME ZONE 'UTC')::date, (now() AT TIME ZONE 'UTC')::date) AS first) f`.execute(trx);
  const { first, cuts, until } = rows[0] ?? { first: '-infinity', cuts: [], until: '-infinity' };
  const ends = [...cuts, 'infinity'];
  return { slices: ends.map((end, i) => ({ from: ends[i - 1] ?? first, until: end })), until };
}

const countSlice = (trx: Db, { from, until }: Slice) =>
  sql`SELECT count_project_days(${from}::date, ${until}::date)`.execute(trx);
