import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { TREND_FROM } from './tally.ts';

/** Standing opinions by project and period: the totals, and `moves` since. Rows of a project and period add up. */
export const standingSides = (moves: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  SELECT project_id::bigint AS project_id, period::int AS period, CASE WHEN kind = 'bullish' THEN value ELSE 0 END AS bullish,
    CASE WHEN kind = 'bearish' THEN value ELSE 0 END AS bearish
  FROM totals WHERE name = 'opinions' AND kind IN ('bullish', 'bearish')
  UNION ALL SELECT project_id, period, n * bullish::int, n * (NOT bullish)::int FROM ${moves} m)`;

export const VERIFIED = sql`SELECT project_id::bigint AS project_id, coalesce(sum(value) FILTER (WHERE kind = 'verified_bullish'), 0)::bigint AS bullish,
    coalesce(sum(value) FILTER (WHERE kind = 'verified_bearish'), 0)::bigint AS bearish
  FROM totals WHERE name = 'opinions' AND kind IN ('verified_bullish', 'verified_bearish') GROUP BY 1 HAVING sum(value) <> 0`;

export const STATE_DAYS = sql`SELECT day, kind::vote_state AS state, value AS votes FROM totals WHERE name = 'days' AND value <> 0`;

export const SIDES = sql`SELECT i.project_id, i.identity,
    coalesce(sum(t.value) FILTER (WHERE t.identity < i.identity AND t.kind IN ('bullish', 'bearish')), 0)::bigint AS votes_before,
    coalesce(sum(t.value) FILTER (WHERE t.identity >= i.identity AND t.kind = 'verified_bullish'), 0)::bigint AS bullish,
    coalesce(sum(t.value) FILTER (WHERE t.identity >= i.identity AND t.kind = 'verified_bearish'), 0)::bigint AS bearish
  FROM identity_changes i LEFT JOIN totals t ON t.name = 'opinions' AND t.project_id = i.project_id GROUP BY 1, 2`;

export async function showTotals(trx: Db, until: string): Promise<void> {
  await sql`DELETE FROM totals WHERE name = 'trend' AND day < ${TREND_FROM}`.execute(trx);
  await sql`
    WITH sides AS (${SIDES}), new_sides AS (
      UPDATE identity_changes i SET votes_before = s.votes_before, bullish = s.bullish, bearish = s.bearish FROM sides s
      WHERE i.project_id = s.project_id AND i.identity = s.identity AND i.changed_at < ${until}::timestamptz
        AND (i.votes_before, i.bullish, i.bearish) <> (s.votes_before, s.bullish, s.bearish)
    ), projects AS MATERIALIZED (${VERIFIED}), days AS MATERIALIZED (${STATE_DAYS}), gone_projects AS (
      DELETE FROM verified_stats v WHERE NOT EXISTS (SELECT FROM projects p WHERE p.project_id = v.project_id)
    ), gone_days AS (
      DELETE FROM vote_state_days v WHERE NOT EXISTS (SELECT FROM days d WHERE d.day = v.day AND d.state = v.state)
    ), new_projects AS (
      INSERT INTO verified_stats AS v (project_id, bullish, bearish) SELECT project_id, bullish, bearish FROM projects
      ON CONFLICT (project_id) DO UPDATE SET bullish = excluded.bullish, bearish = excluded.bearish
      WHERE (v.bullish, v.bearish) <> (excluded.bullish, excluded.bearish)
    )
    INSERT INTO vote_state_days AS v (day, state, votes) SELECT day, state, votes FROM days
    ON CONFLICT (day, state) DO UPDATE SET votes = excluded.votes WHERE v.votes <> excluded.votes`.execute(trx);
  await sql`UPDATE verified_counts SET counted_until = ${until}::timestamptz, counted_at = now(), move = (SELECT moves FROM totals_state)`.execute(
    trx,
  );
}
