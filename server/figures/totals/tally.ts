import { type RawBuilder, sql } from 'kysely';

/*
 * SQL that the totals (moved by what is new) and their recount share, so that both count by one rule.
 */

export const KEY = sql`name, project_id, period, identity, day, kind`;

/**
 * The identity of the project `p` when the opinion `v` was given (R60). PostgreSQL does not inline the function, whose
 * call takes longer than everything else for an opinion.
 */
export const IDENTITY = sql`CASE WHEN coalesce(p.identity, 1) = 1 THEN 1 ELSE identity_at(v.project_id, p.identity, v.said_at) END`;

export const TALLY_COLUMNS = sql`v.project_id, v.period, ${IDENTITY} AS identity,
  (v.created_at AT TIME ZONE 'UTC')::date AS cast_on, (v.turned_at AT TIME ZONE 'UTC')::date AS turned_on, v.bullish`;

export const TALLY_JOINS = sql`LEFT JOIN projects p ON p.id = v.project_id
  LEFT JOIN restated_votes x ON x.user_id = v.user_id AND x.project_id = v.project_id AND x.period = v.period AND x.said_at = v.said_at`;

/** The state as which an opinion is in the totals: its present one, except where it has changed since. */
export const COUNTED_AS = sql`coalesce(x.counted_as, v.unreplaced_state)`;

/** Days of the trends, and one more, which is deleted later. */
export const TREND_FROM = sql`(now() AT TIME ZONE 'UTC')::date - 7`;

export const TALLY = sql`(VALUES
    ('opinions', g.project_id, g.period::int, g.identity, '-infinity'::date, CASE WHEN g.bullish THEN 'bullish' ELSE 'bearish' END,
      CASE WHEN g.state <> 'replaced' THEN g.n ELSE 0 END),
    ('opinions', g.project_id, g.period::int, g.identity, '-infinity'::date, CASE WHEN g.bullish THEN 'verified_bullish' ELSE 'verified_bearish' END,
      CASE WHEN g.state = 'verified' THEN g.n ELSE 0 END),
    ('trend', g.project_id, 0, g.identity, g.turned_on, CASE WHEN g.bullish THEN 'bullish' ELSE 'bearish' END,
      CASE WHEN g.state = 'verified' AND g.turned_on >= ${TREND_FROM} THEN g.n ELSE 0 END),
    ('days', 0, 0, 0, g.cast_on, g.state::text, g.n)
  ) AS t (${KEY}, value)`;

export const TALLY_PAST = (name: string, period: RawBuilder<unknown>): RawBuilder<unknown> => sql`(VALUES
    (${sql.lit(name)}, g.project_id, ${period}, 0, '-infinity'::date, CASE WHEN g.bullish THEN 'bullish' ELSE 'bearish' END, g.n)
  ) AS t (${KEY}, value)`;

/**
 * Entries of the ledger (ledger_entries) by the time at which they are in the totals: the reward of an undone vote and
 * its return come together, so that what a user owns changes by `owed`.
 */
export const entriesIn = (where: (at: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  SELECT user_id, 'vote_reward' AS kind, tokens::bigint AS amount, tokens::bigint AS owed, created_at FROM votes WHERE ${where(sql`created_at`)}
  UNION ALL
  SELECT user_id, kind::text, amount, CASE WHEN kind = 'vote_undone' THEN 0 ELSE amount END, created_at FROM token_ledger WHERE ${where(sql`created_at`)}
  UNION ALL
  SELECT user_id, 'vote_reward', -amount, 0, created_at FROM token_ledger WHERE kind = 'vote_undone' AND ${where(sql`created_at`)})`;

/**
 * How opinions given since a moment have moved the standing ones of a project and period: +1 for each, -1 for the one it replaces. The
 * view of all opinions is read only for a vote that has an earlier one.
 */
export const standingMoves = (within: (at: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  SELECT project_id, period, bullish, sum(n)::int AS n, sum(said)::int AS said FROM (
    SELECT v.project_id, v.period, v.bullish, 1 AS n, 1 AS said FROM votes v WHERE ${within(sql`v.created_at`)}
    UNION ALL
    SELECT c.project_id, c.period, c.bullish, 1, 1 FROM vote_changes c WHERE ${within(sql`c.said_at`)}
    UNION ALL
    SELECT c.project_id, c.period, c.was_bullish, -1, 0 FROM vote_changes c WHERE ${within(sql`c.said_at`)}
    UNION ALL
    SELECT v.project_id, e.period, o.bullish, -1, 0 FROM votes v
    CROSS JOIN LATERAL (
      SELECT e.period FROM votes e WHERE e.user_id = v.user_id AND e.project_id = v.project_id AND e.period < v.period
      ORDER BY e.period DESC LIMIT 1) e
    CROSS JOIN LATERAL (
      SELECT o.bullish FROM opinions o WHERE o.user_id = v.user_id AND o.project_id = v.project_id AND o.period = e.period
      ORDER BY o.said_at DESC LIMIT 1) o
    WHERE v.period > 1 AND ${within(sql`v.created_at`)}
  ) moves GROUP BY 1, 2, 3)`;
