import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { longTransaction } from '#db/long-transaction.ts';
import {
  DECISION_MIN_DAYS,
  STANDING_EXCUSED_DAYS,
  STANDING_NEEDED_DAYS,
  STANDING_VOTER_DAYS,
  STANDING_WINDOW_DAYS,
} from '#shared/states/votes.ts';

/*
 * Decides the standing of all voters when a Sunday is closed (R38). `verified_days` of a voter are the days whose opinions are verified; they have
 * no end while the voter keeps standing. Standing that is gained verifies opinions from that Sunday on, except for a newcomer, whose earlier
 * opinions count as well where the wallet held enough at one of the first two readings after them. Standing that is lost takes the days
 * that were younger than 35 days on the Sunday before. `decided_until` follows at 35 days. Each slice of voters is a transaction, and a voter is decided once for a Sunday.
 */

const SLICE = 2_000;
const HISTORY_DAYS = 64;

const lit = (value: number) => sql.lit(value);
const dayOf = (at: string) => sql`(${sql.ref(at)} AT TIME ZONE 'UTC')::date`;
const within = (days: number) => sql`((-1)::bit(64) >> ${lit(HISTORY_DAYS - days)})`;

interface Week {
  sunday: string;
  minDays: number;
}

/** Days of the site up to the Sunday, the newest at place 0; the history of a voter has a bit for each. */
const site = (sunday: string) => sql`
  site AS MATERIALIZED (
    SELECT day, (row_number() OVER (ORDER BY day DESC))::int - 1 AS place FROM (
      SELECT day FROM standing_days WHERE skipped IS NULL AND day <= ${sunday}::date ORDER BY day DESC LIMIT ${lit(HISTORY_DAYS)}) d
  )`;
const isSet = (history: string) => sql`get_bit(${sql.ref(history)}, ${lit(HISTORY_DAYS - 1)} - site.place) = 1`;

/** Whether the wallet held enough on one of the first two days after `day` that it was read, or was not read since. */
const HELD_SOON = sql`coalesce((SELECT bool_or(r.held) FROM (
  SELECT ${isSet('k.held')} AS held FROM site WHERE site.day > g.day AND ${isSet('k.read')} ORDER BY site.day LIMIT 2) r), true)`;

/** Whether the wallet held enough on more than half of the first 35 days after `day` that it was read. */
const HELD_MOSTLY = sql`(SELECT count(*) >= ${lit(DECISION_MIN_DAYS)} AND 2 * count(*) FILTER (WHERE r.held) > count(*) FROM (
  SELECT ${isSet('k.held')} AS held FROM site WHERE site.day > g.day AND ${isSet('k.read')} ORDER BY site.day LIMIT ${lit(STANDING_VOTER_DAYS)}) r)`;

async function decideSlice(db: Db, { sunday, minDays }: Week, after: number): Promise<number | null> {
  return longTransaction(db, async (trx) => {
    const day = sql`${sunday}::date`;
    const { rows } = await sql<{ last: number | null }>`
      WITH ${site(sunday)}, slice AS MATERIALIZED (
        SELECT s.*, u.deleted_at IS NOT NULL AS is_gone,
          u.created_at <= (${day} + 1)::timestamp AT TIME ZONE 'UTC' - ${minDays}::int * interval '1 day' AS is_of_age,
          (u.last_day <= s.decided_until) IS NOT TRUE AS has_undecided,
          (SELECT count(*)::int FROM standing_days d WHERE d.skipped IS NULL AND d.day > ${day} AND d.day <= s.read_on) AS later,
          (SELECT count(*)::int FROM standing_days d WHERE d.skipped IS NULL AND d.day <= ${day} AND d.day > s.read_on) AS missed
        FROM (SELECT * FROM voter_standing WHERE user_id > ${after} AND sunday < ${day} ORDER BY user_id LIMIT ${lit(SLICE)} FOR UPDATE) s
        -- By their keys: a join would read all users up to this slice.
        CROSS JOIN LATERAL (SELECT x.deleted_at, x.created_at, c.last_day
          FROM users x LEFT JOIN user_stats c ON c.user_id = x.id WHERE x.id = s.user_id OFFSET 0) u
      ), aligned AS (
        SELECT v.*, (history_read << missed) >> later AS read, (history_held << missed) >> later AS held,
          (history_unread << missed) >> later AS unread FROM slice v
      ), looked AS (
        SELECT a.*, is_of_age AND NOT is_gone AND bit_count(held & ${within(STANDING_WINDOW_DAYS)}) >= needed AS stands,
          state = 'waiting' AND NOT is_gone AND NOT (is_of_age AND bit_count(read & ${within(STANDING_WINDOW_DAYS)}) >= needed) AS is_new
        FROM aligned a CROSS JOIN LATERAL (SELECT ${lit(STANDING_NEEDED_DAYS)}
          - least(bit_count(unread & ${within(STANDING_WINDOW_DAYS)}), ${lit(STANDING_EXCUSED_DAYS)}) AS needed) x
      ), next AS MATERIALIZED (
        SELECT l.user_id, l.state AS was, l.verified_days AS was_verified, l.decided_until AS was_decided, l.has_undecided, l.read, l.held,
          (CASE WHEN stands THEN 'standing' WHEN is_new THEN 'waiting' ELSE 'no_standing' END)::voter_state AS state,
          -- Opinions of a day are decided at 35 days, once the wallet was read on ten of them; those of a newcomer wait.
          CASE WHEN is_new THEN l.decided_until WHEN is_gone THEN greatest(l.decided_until, ${day} - ${lit(STANDING_VOTER_DAYS)})
            ELSE greatest(l.decided_until, least(${day} - ${lit(STANDING_VOTER_DAYS)}, coalesce((
              SELECT site.day - 1 FROM site WHERE ${isSet('l.read')} ORDER BY site.day DESC OFFSET ${lit(DECISION_MIN_DAYS - 1)} LIMIT 1), '-infinity')))
          END AS decided_until
        FROM looked l
      ), kept AS MATERIALIZED (
        SELECT n.*, CASE
            WHEN n.state = 'standing' AND n.was = 'waiting' THEN '{(,)}'::datemultirange
            WHEN n.state = 'standing' AND n.was = 'no_standing' THEN was_verified + datemultirange(daterange(${day}, NULL))
            WHEN n.state = 'standing' THEN was_verified
            -- On the Sunday before, these were 35 days old: they wait for readings alone.
            ELSE was_verified * datemultirange(daterange(NULL, greatest(was_decided, ${day} - ${lit(STANDING_VOTER_DAYS + 7)}), '(]'))
          END AS verified_days
        FROM next n
      ), decided AS MATERIALIZED (
        SELECT k.user_id, k.state, k.decided_until, k.verified_days - coalesce(f.days, '{}') AS verified_days,
          k.verified_days <> k.was_verified OR f.days IS NOT NULL OR coalesce(f.is_late, false) AS is_restated
        FROM kept k CROSS JOIN LATERAL (
          SELECT range_agg(daterange(g.day, g.day, '[]')) FILTER (WHERE k.verified_days @> g.day
              AND (k.was = 'waiting' AND NOT ${HELD_SOON} OR g.day <= k.decided_until AND NOT ${HELD_MOSTLY})) AS days,
            bool_or(NOT k.verified_days @> g.day AND g.day <= k.decided_until) AS is_late
          FROM (SELECT DISTINCT ${dayOf('o.said_at')} AS day FROM opinions o WHERE k.has_undecided AND o.user_id = k.user_id) g
          WHERE k.state = 'standing' AND k.was = 'waiting' AND g.day < ${day} OR g.day > k.was_decided AND g.day <= k.decided_until
        ) f
      ), restated AS (
        INSERT INTO restated_votes AS r (user_id, project_id, period, said_at, counted_as)
        SELECT s.user_id, s.project_id, s.period, s.said_at, s.unreplaced_state
        FROM decided d CROSS JOIN LATERAL (SELECT * FROM opinion_states o WHERE o.user_id = d.user_id OFFSET 0) s
        WHERE d.is_restated
          AND s.unreplaced_state IN ('verified', 'waiting', 'no_standing') AND s.unreplaced_state <> (CASE
            WHEN d.verified_days @> ${dayOf('s.said_at')} THEN 'verified' WHEN ${dayOf('s.said_at')} <= d.decided_until THEN 'no_standing' ELSE 'waiting' END)::vote_state
        ON CONFLICT (user_id, project_id, period, said_at) DO UPDATE SET counted_as = r.counted_as
      ), stored AS (
        UPDATE voter_standing s SET state = d.state, verified_days = d.verified_days, decided_until = d.decided_until, sunday = ${day}
        FROM decided d WHERE s.user_id = d.user_id
      )
      SELECT max(user_id) AS last FROM slice`.execute(trx);
    return rows[0]?.last ?? null;
  });
}

export async function decideWeek(db: Db, week: Week): Promise<void> {
  for (let after: number | null = 0; after !== null;)
    // oxlint-disable-next-line no-await-in-loop -- one slice after the other
    after = await decideSlice(db, week, after);
}
