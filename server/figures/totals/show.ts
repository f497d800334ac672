import { type RawBuilder, sql } from 'kysely';

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
