import { type RawBuilder, sql } from 'kysely';

export const KEY = sql`name, project_id, period, identity, day, kind`;

/** The identity of the project `p` when the opinion `v` was given (R60). Avoids the call of identity_at, which costs more than the rest. */
export const IDENTITY = sql`CASE WHEN coalesce(p.identity, 1) = 1 THEN 1 ELSE identity_at(v.project_id, p.identity, v.said_at) END`;

export const TALLY_COLUMNS = sql`v.project_id, v.period, ${IDENTITY} AS identity,
  (v.created_at AT TIME ZONE 'UTC')::date AS cast_on, (v.turned_at AT TIME ZONE 'UTC')::date AS turned_on, v.bullish`;

const OF_OPINION = sql`x.user_id = v.user_id AND x.project_id = v.project_id AND x.period = v.period AND x.said_at = v.said_at`;
export const TALLY_JOINS = sql`LEFT JOIN projects p ON p.id = v.project_id LEFT JOIN restated_votes x ON ${OF_OPINION}`;
/** The row `x` of a table, by its key, whatever its statistics say: OFFSET 0 keeps it apart from the rest of the statement. */
export const lookUpOpinion = (table: 'restated_votes' | 'changed_states', x: string) =>
  sql`LEFT JOIN LATERAL (SELECT x.* FROM ${sql.table(table)} x WHERE ${OF_OPINION} OFFSET 0) ${sql.ref(x)} ON true`;

/** The state that the totals have counted. */
export const COUNTED_AS = sql`coalesce(x.counted_as, v.unreplaced_state)`;

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
