import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { entriesIn } from '#server/books/opinions.ts';
import type { Cursor } from '#server/figures/totals/cursor.ts';
import {
  COUNTED_AS,
  KEY,
  TALLY,
  TALLY_COLUMNS,
  TALLY_JOINS,
  TALLY_PAST,
  TREND_FROM,
} from '#server/figures/totals/tally.ts';
import { isOf, SHOWN, type Users } from './checks.ts';

/** Past moments whose figures no longer move. */
export interface PastMoments {
  recordUntil: string | null;
  /** `project_days` before the start of this UTC day are final. */
  daysUntil: string | null;
}

export async function pastMoments(db: Db): Promise<PastMoments> {
  const { rows } = await sql<PastMoments>`
    SELECT (SELECT max(until) FROM log_checkpoints)::text AS "recordUntil", (SELECT max(until) FROM closed_days)::text AS "daysUntil"`.execute(
    db,
  );
  return rows[0] ?? { recordUntil: null, daysUntil: null };
}

const NO_KEY = sql`0 AS project_id, 0 AS period, 0 AS identity, '-infinity'::date AS day, ''::text AS kind`;

export const keptPast = ({ recordUntil, daysUntil }: PastMoments): RawBuilder<unknown> => sql`(
  SELECT 'recorded'::text AS name, r.project_id, r.period::int AS period, 0 AS identity, '-infinity'::date AS day, d.kind, d.value
  FROM recorded_totals r CROSS JOIN LATERAL (VALUES ('bullish', r.bullish), ('bearish', r.bearish)) d (kind, value) WHERE ${recordUntil}::text IS NOT NULL
  UNION ALL
  SELECT 'published', ${NO_KEY}, coalesce(sum(votes), 0)::bigint FROM log_checkpoints WHERE ${recordUntil}::text IS NOT NULL
  UNION ALL
  SELECT 'before', p.project_id, 0, 0, '-infinity', d.kind, d.value FROM (
    SELECT DISTINCT ON (project_id) project_id::int AS project_id, bullish, bearish FROM project_days
    WHERE day < (${daysUntil}::timestamptz AT TIME ZONE 'UTC')::date ORDER BY project_id, day DESC
  ) p CROSS JOIN LATERAL (VALUES ('bullish', p.bullish), ('bearish', p.bearish)) d (kind, value)
)`;

export const KEPT = sql`(SELECT name, project_id, period::int AS period, identity, day, kind, value FROM totals WHERE name <> 'trend' OR day > ${TREND_FROM})`;

/**
 * Rows of `opinion_states` as v, for a slice user by user: joined for all of them, each slice would read every change and every vote
 * of a later period that there is. OFFSET keeps the planner from doing that.
 */
const statesOf = (users: Users): RawBuilder<unknown> =>
  users === null
    ? sql`opinion_states v`
    : sql`(SELECT user_id FROM votes WHERE ${isOf(users, sql`user_id`)} UNION SELECT user_id FROM vote_changes WHERE ${isOf(users, sql`user_id`)}) u
      CROSS JOIN LATERAL (SELECT * FROM opinion_states o WHERE o.user_id = u.user_id OFFSET 0) v`;

export function counted(
  users: Users,
  { countedUntil, holdersUntil }: Cursor,
  { recordUntil, daysUntil }: PastMoments,
): RawBuilder<unknown> {
  const owns = entriesIn((at) => sql`${isOf(users, sql`user_id`)} AND ${at} < ${holdersUntil}::timestamptz`);
  return sql`(
    SELECT t.* FROM (
      -- Days of the present alone: with them, each vote would be a group of its own.
      SELECT at, project_id, period, identity, CASE WHEN at = 'now' THEN cast_on END AS cast_on,
        CASE WHEN at = 'now' AND turned_on >= ${TREND_FROM} THEN turned_on END AS turned_on, bullish, state, count(*) AS n
      FROM (
        SELECT m.name AS at, ${TALLY_COLUMNS}, CASE WHEN v.replaced_at < m.moment THEN 'replaced' ELSE ${COUNTED_AS} END AS state
        FROM ${statesOf(users)} ${TALLY_JOINS}
        CROSS JOIN (VALUES ('now', ${countedUntil}::timestamptz), ('recorded', ${recordUntil}::timestamptz), ('before', ${daysUntil}::timestamptz)) m (name, moment)
        WHERE v.said_at < m.moment AND (v.changed_at >= m.moment) IS NOT FALSE
      ) o GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ) g CROSS JOIN LATERAL (
      SELECT * FROM ${TALLY} WHERE g.at = 'now' AND (t.name <> 'trend' OR t.day > ${TREND_FROM})
      UNION ALL SELECT * FROM ${TALLY_PAST('recorded', sql`g.period::int`)} WHERE g.at = 'recorded' AND g.state <> 'replaced'
      UNION ALL SELECT * FROM ${TALLY_PAST('before', sql`0`)} WHERE g.at = 'before' AND g.state <> 'replaced'
    ) t WHERE t.value <> 0
    UNION ALL
    -- Without a condition on time, for which each slice would read the whole index by time.
    SELECT m.name, ${NO_KEY}, m.value FROM (
      SELECT count(*) FILTER (WHERE said_at < ${countedUntil}::timestamptz) AS said, count(*) FILTER (WHERE said_at < ${recordUntil}::timestamptz) AS published
      FROM opinions WHERE ${isOf(users, sql`user_id`)}
    ) v CROSS JOIN LATERAL (VALUES ('said', v.said), ('published', v.published)) m (name, value) WHERE m.value > 0
    UNION ALL
    SELECT d.name, 0, 0, 0, '-infinity', d.kind, d.value FROM (
      SELECT kind, sum(amount) AS amount, count(*) AS entries
      FROM ${entriesIn((at) => sql`${isOf(users, sql`user_id`)} AND ${at} < ${countedUntil}::timestamptz`)} e GROUP BY 1
    ) k CROSS JOIN LATERAL (VALUES ('ledger', k.kind, k.amount), ('entries', '', k.entries)) d (name, kind, value)
    UNION ALL
    SELECT 'holders', ${NO_KEY}, count(*) FROM (SELECT FROM ${owns} e GROUP BY user_id HAVING sum(owed) > 0) h
  )`;
}

export const MOVES = 'moves';

/** `source`: rows (key, kept, counted). */
export const differencesOf = (source: RawBuilder<unknown>, { recordUntil, daysUntil }: PastMoments) => sql<{
  difference: string;
}>`
  WITH all_rows AS MATERIALIZED (
    SELECT ${KEY}, sum(kept) AS kept, sum(counted) AS counted FROM ${source} s GROUP BY ${KEY}
  ), sides AS (
    SELECT name, project_id, period, coalesce(sum(kept) FILTER (WHERE kind = 'bullish'), 0) AS bullish, coalesce(sum(kept) FILTER (WHERE kind = 'bearish'), 0) AS bearish,
      coalesce(sum(counted) FILTER (WHERE kind = 'bullish'), 0) AS counted_bullish, coalesce(sum(counted) FILTER (WHERE kind = 'bearish'), 0) AS counted_bearish
    FROM all_rows WHERE name IN ('recorded', 'before') GROUP BY 1, 2, 3
    HAVING bool_or(kept <> counted)
  )
  (SELECT format('total %s: kept %s, counted %s', concat_ws(' ', name, 'of project ' || nullif(project_id, 0), 'in period ' || nullif(period, 0),
      'identity ' || nullif(identity, 0), nullif(day, '-infinity'), nullif(replace(kind, '_', ' '), '')), kept, counted) AS difference
    FROM all_rows WHERE name NOT IN ('recorded', 'before', 'published', 'differing', 'excess') AND kept <> counted
      -- Slices of the day before have counted the day that leaves the trends at midnight.
      AND (name <> 'trend' OR day > ${TREND_FROM}) ORDER BY ${KEY} LIMIT ${SHOWN})
  UNION ALL
  (SELECT format('project %s before %s: days say %s bullish, %s bearish; votes %s, %s', project_id, (${daysUntil}::timestamptz AT TIME ZONE 'UTC')::date,
      bullish, bearish, counted_bullish, counted_bearish) FROM sides WHERE name = 'before' ORDER BY project_id LIMIT ${SHOWN})
  UNION ALL
  -- Every opinion given before the end of the newest batch is in the record (R40); an earlier one that was stored later is missing.
  (SELECT format('record: %s votes and changes published, %s given before %s', kept, counted, ${recordUntil}::timestamptz) FROM all_rows
    WHERE name = 'published' AND kept <> counted)
  UNION ALL
  -- The record's facts about projects, and the votes.
  (SELECT format('project %s in period %s: record %s bullish, %s bearish; votes %s, %s', project_id, period, bullish, bearish, counted_bullish, counted_bearish)
    FROM sides WHERE name = 'recorded' ORDER BY project_id, period LIMIT ${SHOWN})`;
