import type pg from 'pg';
import { plantPeople, withoutTriggers } from '../people.ts';

export interface Size {
  users: number;
  votesEach: number;
}

/** A prime, so that the votes of a user are on different projects. */
const PROJECTS = 1009;
const CHUNK = 250_000;

/** Age of the history in days. It ends before the 35 days in which votes wait for evidence, with some for the last Sundays to decide. */
const HISTORY = { from: 400, to: 43 };
const STANDING_DAYS = 70;
/**
 * One long day has the history up to these, and voters are as the Sundays before have left them: jobs close it, and then two weeks, from nothing.
 * They would decide 57 Sundays for each user otherwise, which no site leaves open.
 */
const OPEN_DAYS = 14;
/** Number of votes that become due when today's balances have been read; also the number of new votes. */
export const DUE_VOTES = 20_000;

/** Time of a vote by its number; `s` is the row of `planted`. The last votes became 35 days old earlier today. */
const momentOf = (n: string): string => `CASE WHEN ${n} < s.votes - s.due
      THEN s.today - ${HISTORY.from} * interval '1 day' + ${HISTORY.from - HISTORY.to} * interval '1 day' * (${n}::float8 / s.votes)
      ELSE s.today - 35 * interval '1 day' + (s.at - s.today) * 0.9 * ((${n} - s.votes + s.due)::float8 / s.due) END`;

/**
 * Every user votes once in each round, on another project. One project in three is renewed at half of the rounds; after
 * that, one user in ten votes again on such projects of the first half.
 */
const VOTES = `
  SELECT n, user_id, project_id, created_at,
    CASE WHEN project_id % 3 = 0 AND round >= half THEN 2 ELSE 1 END AS period, (user_id + round) % 3 > 0 AS bullish
  FROM (
    SELECT n, r.round, s.half, u.user_id, ${momentOf('n')} AS created_at,
      CASE WHEN r.round >= s.half AND u.user_id % 10 = 0 AND (u.user_id * 7919 + (r.round - s.half) * 104729) % ${PROJECTS} % 3 = 2
        THEN (u.user_id * 7919 + (r.round - s.half) * 104729) % ${PROJECTS} + 1
        ELSE (u.user_id * 7919 + r.round * 104729) % ${PROJECTS} + 1 END AS project_id
    FROM generate_series($1::bigint, $2::bigint) n CROSS JOIN planted s
    CROSS JOIN LATERAL (SELECT n / s.users AS round) r
    CROSS JOIN LATERAL (SELECT (n % s.users) * 611953 % s.users + 1 AS user_id) u
  ) v`;

/** Values that the statements share: sizes, number of votes that become due, first round after renewals, today. */
const setUp = ({ users, votesEach }: Size): string => `
  CREATE TEMP TABLE planted AS SELECT ${users}::bigint AS users, ${users * votesEach}::bigint AS votes, (${votesEach} + 1) / 2 AS half,
    least(${DUE_VOTES}, ${users})::bigint AS due, date_trunc('day', now(), 'UTC') AS today, now() AS at;
  ALTER TABLE planted ADD COLUMN renewed_at timestamptz;
  UPDATE planted s SET renewed_at = ${momentOf('s.half * s.users')};`;

const EVIDENCE = [
  `INSERT INTO standing_days (day, wallets, standing)
   SELECT (today AT TIME ZONE 'UTC')::date - d, users, users * 4 / 5 FROM planted, generate_series(1, ${STANDING_DAYS}) d`,
  `INSERT INTO voter_standing (user_id, read_on, state, history_read, history_held, verified_days, decided_until, sunday)
   SELECT i, (today AT TIME ZONE 'UTC')::date - 1,
     CASE WHEN holds THEN 'standing' ELSE 'no_standing' END::voter_state, ~0::bit(64), CASE WHEN holds THEN ~0::bit(64) ELSE 0::bit(64) END,
     CASE WHEN holds THEN '{(,)}' ELSE '{}' END::datemultirange, sunday - 35, sunday
   FROM planted, generate_series(1, users) i CROSS JOIN LATERAL (
     SELECT i % 5 > 0 AS holds, date_trunc('week', today AT TIME ZONE 'UTC' - ${OPEN_DAYS} * interval '1 day')::date - 1 AS sunday) h`,
  `UPDATE projects SET period_starts = period_starts || renewed_at FROM planted WHERE id % 3 = 0`,
];

const HISTORY_ROWS = [
  `INSERT INTO votes (user_id, created_at, project_id, period, bullish)
   SELECT user_id, created_at, project_id, period, bullish FROM (${VOTES}) v ORDER BY n`,
  `INSERT INTO vote_changes (user_id, said_at, cast_at, was_said_at, turned_at, project_id, period, bullish, was_bullish)
   SELECT user_id, said_at, created_at, created_at, CASE WHEN turns THEN said_at ELSE created_at END, project_id, period, bullish <> turns, bullish
   FROM (${VOTES}) v CROSS JOIN planted CROSS JOIN LATERAL (SELECT created_at + interval '10 days' AS said_at, n % 40 < 20 AS turns) c
   WHERE n % 20 = 3 AND n < votes - due AND (project_id % 3 > 0 OR period = 2 OR said_at < renewed_at) ORDER BY n`,
  // A vote in ten says why, and one in fifty has a star; those with reasons have not changed.
  `INSERT INTO vote_reasons (user_id, project_id, period, bullish, reasons, given_at, is_public, is_shown)
   SELECT user_id, project_id, period, bullish, 1 << (n / 10 % 5)::int, created_at + interval '2 minutes', user_id % 5 > 0, user_id % 5 > 0
   FROM (${VOTES}) v WHERE n % 10 = 0 ORDER BY n`,
  `INSERT INTO follows (user_id, project_id, since)
   SELECT user_id, project_id, created_at FROM (${VOTES}) v WHERE n % 50 = 11 ORDER BY n ON CONFLICT DO NOTHING`,
  `WITH undone AS (
     INSERT INTO undone_votes (user_id, created_at, undone_at, project_id, tokens, period, bullish)
     SELECT user_id, created_at - interval '1 minute', created_at - interval '57 seconds', project_id, 10, period, NOT bullish
     FROM (${VOTES}) v WHERE n % 100 = 7 ORDER BY n RETURNING id, user_id, undone_at
   )
   INSERT INTO token_ledger (user_id, ref, amount, created_at, kind) SELECT user_id, id, -10, undone_at, 'vote_undone' FROM undone`,
  `INSERT INTO votes_set_aside (user_id, project_id, period, reason, detail, actor)
   SELECT user_id, project_id, period, 'moderator', 'Votes of a script', 'bench' FROM (${VOTES}) v WHERE n % 10000 = 5`,
];

const COUNTERS = [
  `UPDATE user_stats s SET total_votes = v.votes, bullish = v.bullish + coalesce(c.moved, 0), bearish = v.votes - v.bullish - coalesce(c.moved, 0),
     balance = 10 * v.votes, tokens_earned = 10 * v.votes, streak = 1, last_day = greatest(v.last_day, c.last_day)
   FROM (SELECT user_id, count(*)::int AS votes, (count(*) FILTER (WHERE bullish))::int AS bullish,
     (max(created_at) AT TIME ZONE 'UTC')::date AS last_day FROM votes GROUP BY 1) v
   LEFT JOIN (SELECT user_id, sum(bullish::int - was_bullish::int)::int AS moved, max(said_on) AS last_day FROM vote_changes GROUP BY 1) c ON c.user_id = v.user_id
   WHERE s.user_id = v.user_id`,
  `CREATE TEMP TABLE newest AS
   SELECT DISTINCT ON (user_id, project_id) user_id, project_id, period, bullish FROM opinions ORDER BY user_id, project_id, period DESC, said_at DESC`,
  `UPDATE project_stats s SET bullish = v.bullish, bearish = v.bearish FROM (
     SELECT project_id, count(*) FILTER (WHERE bullish) AS bullish, count(*) FILTER (WHERE NOT bullish) AS bearish FROM newest GROUP BY 1
   ) v WHERE v.project_id = s.project_id`,
  `SELECT refresh_top_voters()`,
];

/** The record, as if its newest batch had contained the history. No job reads files again, so theirs are random bytes. */
const RECORD = [
  `UPDATE log_checkpoints SET votes = (SELECT count(*) FROM opinions)`,
  `INSERT INTO voter_secrets (user_id, secret) SELECT i, new_secret() FROM planted, generate_series(1, users) i`,
  `INSERT INTO recorded_totals (project_id, period, bullish, bearish, verified_bullish, verified_bearish)
   SELECT project_id, period, count(*) FILTER (WHERE bullish), count(*) FILTER (WHERE NOT bullish),
     count(*) FILTER (WHERE bullish AND verified), count(*) FILTER (WHERE NOT bullish AND verified)
   FROM (
     SELECT n.project_id, n.period, n.bullish, n.user_id % 5 > 0 AND a.user_id IS NULL AS verified FROM newest n
     LEFT JOIN votes_set_aside a ON a.user_id = n.user_id AND a.project_id = n.project_id AND a.period = n.period
   ) counted GROUP BY 1, 2`,
  `DROP TABLE newest`,
];
const VOTES_PER_FILE = 128;
/** Of a vote: its hash; compressed, 20 of its entry, 20 of the day's file of votes, and 5 of what Sundays say about one in five. */
const RECORD_FILES = `
  INSERT INTO log_files (path, bytes) SELECT 'planted/' || n, (
    SELECT string_agg(sha256(int8send(i)) || sha256(int8send(-i)) || substr(sha256(int8send(i << 32)), 1, 13), '')
    FROM generate_series(n, n + ${VOTES_PER_FILE - 1}) i)
  FROM generate_series($1::bigint, $2::bigint) n WHERE n % ${VOTES_PER_FILE} = 0`;

/** The days that are closed have none of the history. */
const REOPENED = `
  DELETE FROM closed_days; DELETE FROM totals; UPDATE totals_state SET counted_until = '-infinity', holders_until = '-infinity';
  INSERT INTO closed_days (day, until) SELECT (today AT TIME ZONE 'UTC')::date - ${OPEN_DAYS + 2}, (SELECT min(created_at) FROM votes) FROM planted`;

const IDENTITIES = `UPDATE projects SET name = name || ' Two' WHERE id % 500 = 1`;

export async function plantVoters(client: pg.ClientBase, size: Size): Promise<void> {
  await client.query(`SET work_mem = '256MB'; SET statement_timeout = 0`);
  await plantPeople(client, size.users, PROJECTS);
  await client.query(setUp(size));
  await withoutTriggers(client, async () => {
    for (const statement of EVIDENCE) await client.query(statement);
  });
}

/** Plants the history after the first batch of the record, with every counter of the vote path. Jobs derive the rest. */
export async function plantHistory(
  client: pg.ClientBase,
  size: Size,
  onProgress: (share: number) => void,
): Promise<void> {
  const votes = size.users * size.votesEach;
  const statements = [...HISTORY_ROWS, RECORD_FILES];
  await withoutTriggers(client, async () => {
    for (const [at, statement] of statements.entries())
      for (let from = 0; from < votes; from += CHUNK) {
        await client.query(statement, [from, Math.min(from + CHUNK, votes) - 1]);
        onProgress((at + Math.min(1, (from + CHUNK) / votes)) / statements.length);
      }
    for (const statement of [...COUNTERS, ...RECORD]) await client.query(statement);
  });
  await client.query(IDENTITIES);
  await client.query(REOPENED);
}

/** Project of a user's vote in a round of the first half. */
export const projectOf = (userId: number, round: number): number => ((userId * 7919 + round * 104_729) % PROJECTS) + 1;
