import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS } from '#shared/states/votes.ts';
import type { Services } from '../services.ts';
import { standingAt } from '../votes/standing-at.ts';

/** A count may take one percent of the time; the larger the site, the less often it runs. */
const REST = 100;
const SERIALIZATION_FAILURE = '40001';

type CountServices = Pick<Services, 'db' | 'undoWindowMs'> & { config: Pick<Services['config'], 'standingMinDays'> };

/** The states of all voters as of now, by the rule of `voterState` in shared/states/votes.ts. */
export async function refreshVoterStates(trx: Db, minDays: number): Promise<void> {
  await sql`
    WITH oldest AS (
      SELECT day FROM standing_days WHERE skipped IS NULL ORDER BY day DESC OFFSET ${sql.lit(STANDING_WINDOW_DAYS - 1)} LIMIT 1
    ), present AS (
      SELECT s.user_id, (CASE
        WHEN u.created_at > now() - ${minDays}::int * interval '1 day' OR s.days_read < ${sql.lit(STANDING_NEEDED_DAYS)} THEN 'waiting'
        -- Was not read lately: all votes are decided, or it votes again after a long absence.
        WHEN s.read_on < (SELECT day FROM oldest) THEN 'waiting'
        WHEN bit_count(s.days_held::int::bit(7)) < ${sql.lit(STANDING_NEEDED_DAYS)} THEN 'no_standing'
        ELSE 'standing' END)::voter_state AS state
      FROM voter_standing s JOIN users u ON u.id = s.user_id
    )
    UPDATE voter_standing s SET state = p.state FROM present p WHERE p.user_id = s.user_id AND p.state <> s.state`.execute(
    trx,
  );
}

/**
/**
 * Rewrites the counters that differ from the opinions given before `until`; the newest of them counts for each voter.
 * The days are those of the votes. Each change of identity has counters of the opinions before and since (R60): `place`
 * is the number of changes of its project before an opinion.
 */
async function rewriteCounters(trx: Db, until: string): Promise<void> {
  await sql`
    WITH starts AS (
      SELECT project_id, array_agg(changed_at ORDER BY identity) AS changes FROM identity_changes
      WHERE changed_at < ${until}::timestamptz GROUP BY 1
    ), counted AS MATERIALIZED (
      SELECT v.project_id, (created_at AT TIME ZONE 'UTC')::date AS day, bullish, count(*) AS votes,
        CASE WHEN replaced_at < ${until}::timestamptz THEN 'replaced' ELSE unreplaced_state END AS state,
        coalesce(width_bucket(said_at, s.changes), 0) AS place
      FROM opinion_states v LEFT JOIN starts s ON s.project_id = v.project_id
      WHERE ${standingAt(sql`${until}::timestamptz`)} GROUP BY 1, 2, 3, 5, 6
    ), places AS (
      SELECT project_id, place, sum(votes) AS votes, coalesce(sum(votes) FILTER (WHERE state = 'verified' AND bullish), 0) AS bullish,
        coalesce(sum(votes) FILTER (WHERE state = 'verified' AND NOT bullish), 0) AS bearish
      FROM counted WHERE state <> 'replaced' AND project_id IN (SELECT project_id FROM starts) GROUP BY 1, 2
    ), sides AS (
      SELECT c.project_id, c.identity, coalesce(sum(p.votes) FILTER (WHERE p.place < c.place), 0) AS votes_before,
        coalesce(sum(p.bullish) FILTER (WHERE p.place >= c.place), 0) AS bullish,
        coalesce(sum(p.bearish) FILTER (WHERE p.place >= c.place), 0) AS bearish
      FROM (
        SELECT project_id, identity, row_number() OVER (PARTITION BY project_id ORDER BY identity) AS place
        FROM identity_changes WHERE changed_at < ${until}::timestamptz
      ) c LEFT JOIN places p ON p.project_id = c.project_id GROUP BY 1, 2
    ), new_sides AS (
      UPDATE identity_changes i SET votes_before = s.votes_before, bullish = s.bullish, bearish = s.bearish FROM sides s
      WHERE i.project_id = s.project_id AND i.identity = s.identity
        AND (i.votes_before, i.bullish, i.bearish) <> (s.votes_before, s.bullish, s.bearish)
    ), projects AS (
      SELECT project_id, coalesce(sum(votes) FILTER (WHERE bullish), 0) AS bullish, coalesce(sum(votes) FILTER (WHERE NOT bullish), 0) AS bearish
      FROM counted WHERE state = 'verified' GROUP BY 1
    ), days AS (
      SELECT day, state, sum(votes) AS votes FROM counted GROUP BY 1, 2
    ), gone_projects AS (
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
}

/**
 * The moment up to which all votes are committed, by the open transactions. A vote's time is the start of its own
 * statement, and by then its transaction has written or is younger than the statement timeout: long reads, such as a
 * backup, delay nothing. No open or future transaction can undo such a vote.
 */
async function committedUntil(db: Db, undoWindowMs: number): Promise<string> {
  const { rows } = await sql<{ until: string }>`
    SELECT (least(now(), min(xact_start)) - ${undoWindowMs} * interval '1 millisecond')::text AS until FROM pg_stat_activity
    WHERE datname = current_database() AND (backend_xid IS NOT NULL OR xact_start > now() - interval '1 minute')`.execute(
    db,
  );
  return rows[0]?.until ?? '-infinity';
}

/**
 * That moment, or the end of the last count if it is later, so that a count never loses votes of the previous one. The
 * open transactions can show an earlier moment than they did: each transaction of a VACUUM carries the start time of
 * the whole VACUUM, and between two of them none is open. An undo window that was made longer still applies.
 */
async function settledUntil(trx: Db, committed: string, undoWindowMs: number): Promise<string> {
  const { rows } = await sql<{ until: string }>`
    SELECT greatest(${committed}::timestamptz, least(counted_until, now() - ${undoWindowMs} * interval '1 millisecond'))::text AS until
    FROM verified_counts`.execute(trx);
  return rows[0]?.until ?? committed;
}

/**
 * Updates the states of all voters and counts verified votes, in one snapshot. Reads all votes, and writes only changed
 * counters. A concurrent decision of the admin makes it start over at its next time.
 */
export async function countVerified({ db, config, undoWindowMs }: CountServices): Promise<boolean> {
  const startedMs = performance.now();
  await sql`INSERT INTO verified_counts (counted_until, counted_at, duration_ms) VALUES ('-infinity', now(), 0) ON CONFLICT DO NOTHING`.execute(
    db,
  );
  // Before the snapshot is taken, which then has all votes of that time.
  const committed = await committedUntil(db, undoWindowMs);
  try {
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        await sql`SET LOCAL statement_timeout = '10min'`.execute(trx);
        const until = await settledUntil(trx, committed, undoWindowMs);
        await refreshVoterStates(trx, config.standingMinDays);
        await rewriteCounters(trx, until);
        await sql`UPDATE verified_counts SET counted_until = ${until}::timestamptz, counted_at = now(), is_stale = false,
          duration_ms = ${Math.round(performance.now() - startedMs)}`.execute(trx);
      });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE) return false;
    throw error;
  }
  return true;
}

/** Counts unless the last count was recent, relative to its duration. */
export async function countVerifiedWhenDue(services: CountServices): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    SELECT is_stale OR counted_at <= now() - duration_ms * ${sql.lit(REST)} * interval '1 millisecond' AS due FROM verified_counts`.execute(
    services.db,
  );
  return rows[0]?.due === false ? false : countVerified(services);
}
