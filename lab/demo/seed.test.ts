import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOW_DAYS } from '#shared/numbers/interval.ts';
import { createTestDatabase, startServer } from '../testing/app.ts';
import { logKey, verifyAsStranger } from '../testing/record.ts';
import { openDatabase, type Database } from '#db/client.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { digestVotes } from '#server/record/digests.ts';
import { tellTurns } from '#server/people/follows/turns.ts';
import { jobs } from '#server/jobs.ts';
import { runOnce } from '#server/kit/scheduler.ts';
import { seed, seedIfEmpty } from './seed.ts';
import { countVotes, planVotes } from './history.ts';
import { OWNER, VOTER } from './accounts.ts';
import { DEMO_PROJECTS, OWNED_LISTING } from './projects.ts';
import { closeToday } from '#lab/testing/close.ts';
import { closeDays } from '#server/record/close-days.ts';

let database: Database;
let url: string;
let drop: () => Promise<void>;
let outcomes: boolean[];

beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
  outcomes = await Promise.all([seedIfEmpty(url), seedIfEmpty(url)]);
  database = openDatabase(url, { maxConnections: 4 });
});
afterAll(async () => {
  await database.close();
  await drop();
});

async function offenders(query: string): Promise<unknown[]> {
  return (await database.pool.query(query)).rows;
}
const count = async (table: string): Promise<number> =>
  Number((await database.pool.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.n);

test('every listing has views on each of its last sixty days, and no more clicks than views [R50]', async () => {
  const { rows } = await database.pool.query<{
    days: number;
    listed: number;
    views: number;
    clicks: number;
    shares: number;
  }>(`
    SELECT count(DISTINCT e.day)::int AS days, least(60, (now() AT TIME ZONE 'UTC')::date - min((p.created_at AT TIME ZONE 'UTC')::date) + 1)::int AS listed,
      coalesce(sum(e.count) FILTER (WHERE kind = 'view'), 0)::int AS views, coalesce(sum(e.count) FILTER (WHERE kind = 'click'), 0)::int AS clicks,
      coalesce(sum(e.count) FILTER (WHERE kind = 'share'), 0)::int AS shares
    FROM projects p LEFT JOIN project_events_days e ON e.project_id = p.id GROUP BY p.id`);
  expect(rows).toHaveLength(DEMO_PROJECTS.length);
  // Views of a project that few users come across: a day may have none, as may the first hours of its listing and of
  // today. After midnight, both days of the newest one may be empty.
  for (const { days, listed, views, clicks, shares } of rows) {
    expect(days).toBeLessThanOrEqual(listed);
    expect(days).toBeGreaterThanOrEqual(Math.floor(listed * 0.9) - 1);
    expect(clicks).toBeLessThanOrEqual(views);
    expect(shares).toBeLessThanOrEqual(views);
  }
  expect(rows.reduce((sum, { views }) => sum + views, 0)).toBeGreaterThan(10_000);
  expect(
    await offenders(`SELECT 1 FROM project_events_days e JOIN projects p ON p.id = e.project_id
    WHERE e.day < (p.created_at AT TIME ZONE 'UTC')::date OR e.day > (now() AT TIME ZONE 'UTC')::date`),
  ).toEqual([]);
});

test('votes cover sixty days, so that the charts of the oldest projects have sixty days [R50]', async () => {
  const { rows } = await database.pool.query<{ days: number; reach: number; verified: number }>(`
    SELECT count(*)::int AS days, (now() AT TIME ZONE 'UTC')::date - min(day) AS reach,
      count(*) FILTER (WHERE verified_bullish + verified_bearish > 0)::int AS verified
    FROM project_days d JOIN projects p ON p.id = d.project_id WHERE p.created_at < now() - interval '62 days' GROUP BY p.id`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { days, reach, verified } of rows) {
    expect(reach).toBeGreaterThanOrEqual(55);
    expect(days).toBeGreaterThanOrEqual(30);
    expect(verified).toBeGreaterThanOrEqual(20);
  }
});

describe('seed', () => {
  test('two simultaneous seeds write the data once, and later calls change nothing', async () => {
    expect(outcomes.toSorted((one, other) => Number(one) - Number(other))).toEqual([false, true]);
    const tables = ['users', 'projects', 'votes', 'token_ledger', 'reviews', 'images', 'user_stats', 'project_stats'];
    const before = await Promise.all(tables.map(count));
    expect(await seedIfEmpty(url)).toBe(false);
    expect(await seed(database.db)).toBe(false);
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });

  test('a failed seed leaves nothing behind', async () => {
    const other = await createTestDatabase();
    const { db, pool, close } = openDatabase(other.url, { maxConnections: 1 });
    await pool.query('ALTER TABLE users ADD CONSTRAINT none CHECK (false)');
    await expect(seed(db)).rejects.toThrow('none');
    for (const table of ['users', 'projects', 'votes', 'images']) {
      expect((await pool.query(`SELECT 1 FROM ${table}`)).rowCount).toBe(0);
    }
    await close();
    await other.drop();
  });

  test('no user voted on their own project, on an unlisted one, or in the future [R7]', async () => {
    expect(await count('votes')).toBeGreaterThan(500);
    expect(
      await offenders(`SELECT * FROM votes v JOIN projects p ON p.id = v.project_id
        WHERE p.owner_id = v.user_id OR v.created_at < p.created_at OR v.created_at >= p.expires_at OR v.created_at > now()`),
    ).toEqual([]);
    expect(
      await offenders(`SELECT * FROM votes v JOIN users u ON u.id = v.user_id WHERE v.created_at < u.created_at`),
    ).toEqual([]);
    expect(await offenders(`SELECT * FROM votes WHERE created_at < now() - interval '63 days'`)).toEqual([]);
  });

  test('owners reply to reviews, reports wait, and each review and reply has a notice for the user concerned [R51]', async () => {
    expect(await count('review_replies')).toBe(12);
    expect(
      await offenders(
        'SELECT * FROM review_replies y JOIN reviews r ON r.id = y.review_id WHERE y.created_at NOT BETWEEN r.created_at AND now()',
      ),
    ).toEqual([]);
    const reported = await offenders('SELECT DISTINCT subject, subject_id FROM reports WHERE resolved_at IS NULL');
    expect([await count('reports'), reported.length]).toEqual([5, 3]);
    expect(
      await offenders(
        `SELECT r.* FROM reports r JOIN reviews w ON r.subject = 'review' AND w.id = r.subject_id WHERE w.user_id = r.user_id`,
      ),
    ).toEqual([]);
    expect(await count('notices')).toBe((await count('reviews')) + 12);
    expect(await offenders(`SELECT * FROM notices WHERE read_at < created_at OR created_at > now()`)).toEqual([]);
    expect((await offenders('SELECT * FROM notices WHERE read_at IS NULL')).length).toBeGreaterThan(0);
  });

  test('the days of the seed are closed, the books have no differences, and no user burned more than earned [R13 R15 R57]', async () => {
    const days = await offenders('SELECT max(day)::text AS day, count(*)::int AS days FROM closed_days');
    expect(days).toEqual([
      { day: new Date(Date.now() - 86_400_000 - 5 * 60_000).toISOString().slice(0, 10), days: expect.any(Number) },
    ]);
    expect((await offenders('SELECT FROM verified_stats WHERE bullish + bearish >= 10')).length).toBeGreaterThan(2);
    expect(await findDifferences(database.db)).toEqual([]);
    expect(await count('token_ledger')).toBe(2 * (await count('reviews')));
    expect(
      await offenders(`SELECT user_id FROM (
          SELECT user_id, sum(amount) OVER (PARTITION BY user_id ORDER BY created_at, kind) AS balance FROM ledger_entries) l
        WHERE balance < 0`),
    ).toEqual([]);
    expect(
      await offenders(`SELECT * FROM vote_changes c JOIN projects p ON p.id = c.project_id
        WHERE c.said_at > now() OR c.said_at >= p.expires_at OR c.period <> period_at(p.period_starts, c.said_at)`),
    ).toEqual([]);
  });

  test("one project's voters have turned, so that its share of the last 30 days is much lower than that of all [R58]", async () => {
    const project = DEMO_PROJECTS.find(({ turned }) => turned);
    const { rows } = await database.pool.query<{ share: number; now: number; recent: number; turned: number }>(
      `
      SELECT 100.0 * s.bullish / (s.bullish + s.bearish) AS share, o.recent::int, 100.0 * o.bullish / o.recent AS now, d.turned::int
      FROM projects p JOIN project_stats s ON s.project_id = p.id
        JOIN (SELECT project_id, sum(bullish) AS bullish, sum(bullish + bearish) AS recent FROM opinion_days
          WHERE said_on > (now() AT TIME ZONE 'UTC')::date - ${NOW_DAYS} GROUP BY 1) o ON o.project_id = p.id
        JOIN (SELECT project_id, sum(turned_bearish) AS turned FROM project_days GROUP BY 1) d ON d.project_id = p.id
      WHERE p.name = $1`,
      [project?.name],
    );
    const [found] = rows;
    expect(found?.recent).toBeGreaterThanOrEqual(10);
    expect(Number(found?.share) - Number(found?.now)).toBeGreaterThan(12);
    expect(found?.turned).toBeGreaterThanOrEqual(5);
  });

  test('one voter has changed and confirmed votes, and one listing has a former name [R57 R60]', async () => {
    const { rows } = await database.pool.query<{ turned: number; confirmed: number }>(`
      SELECT count(*) FILTER (WHERE bullish <> was_bullish)::int AS turned, count(*) FILTER (WHERE bullish = was_bullish)::int AS confirmed
      FROM vote_changes GROUP BY user_id ORDER BY count(*) DESC LIMIT 1`);
    expect(rows[0]?.turned).toBeGreaterThanOrEqual(2);
    expect(rows[0]?.confirmed).toBeGreaterThanOrEqual(1);
    const renamed = DEMO_PROJECTS.filter((project) => project.renamed);
    expect(
      await offenders('SELECT old_name AS was, name FROM identity_changes JOIN projects p ON p.id = project_id'),
    ).toEqual(renamed.map((project) => ({ was: project.renamed?.from, name: project.name })));
  });

  test('the stored windows hold the votes since their start [R8]', async () => {
    expect(
      await offenders(`SELECT s.user_id FROM user_stats s JOIN votes v ON v.user_id = s.user_id AND v.created_at >= s.window_started_at
        GROUP BY s.user_id, s.window_votes HAVING count(*) <> s.window_votes OR s.window_votes = 0`),
    ).toEqual([]);
  });
});

const figuresBefore = (day: string): string =>
  `SELECT verified_bullish + verified_bearish AS votes, 100.0 * verified_bullish / nullif(verified_bullish + verified_bearish, 0) AS share
    FROM project_days d WHERE d.project_id = s.project_id AND d.day < ${day} ORDER BY d.day DESC LIMIT 1`;

test('most demo votes older than a week count as calls, and each demo account matches its description [R79 R90 R91]', async () => {
  // Verified votes without the own one: on the last closed day, before the day of the vote, and when the demo's voter was here last.
  const { rows } = await database.pool.query<{ old: number; counting: number; early: number; moved: number }>(`
    WITH voter AS (SELECT u.id, max(v.said_at)::date AS seen FROM users u JOIN vote_states v ON v.user_id = u.id WHERE u.wallet_address = '${VOTER.address}' GROUP BY 1),
    calls AS (
      SELECT s.user_id = voter.id AS own, s.turned_at < now() - interval '7 days' AS is_old, n.bullish - (s.bullish AND s.state = 'verified')::int AS bullish,
        n.bearish - (NOT s.bullish AND s.state = 'verified')::int AS bearish, coalesce(d.votes, 0) AS before, l.votes AS seen, l.share AS seen_share
      FROM vote_states s CROSS JOIN voter JOIN verified_stats n ON n.project_id = s.project_id
      LEFT JOIN LATERAL (${figuresBefore("(s.turned_at AT TIME ZONE 'UTC')::date")}) d ON true LEFT JOIN LATERAL (${figuresBefore('voter.seen')}) l ON true
      WHERE s.replaced_at IS NULL)
    SELECT count(*) FILTER (WHERE is_old)::int AS old, count(*) FILTER (WHERE is_old AND bullish + bearish >= 10 AND bullish <> bearish)::int AS counting,
      count(*) FILTER (WHERE is_old AND bullish + bearish >= 10 AND before < 10)::int AS early,
      count(*) FILTER (WHERE own AND bullish + bearish >= 10 AND seen > 10 AND abs(100.0 * bullish / (bullish + bearish) - seen_share) >= 7)::int AS moved FROM calls`);
  const [calls] = rows;
  expect(calls?.counting).toBeGreaterThan(0.8 * Number(calls?.old));
  expect(calls?.early).toBeGreaterThan(100);
  expect(calls?.moved).toBeGreaterThanOrEqual(3);
  await tellTurns({ db: database.db });
  expect(
    await offenders(`SELECT balance::int, t.total_votes AS votes, s.state, u.id = (SELECT user_id FROM reviews WHERE period IS NOT NULL) AS has_said,
        (SELECT max(said_at) FROM vote_states v WHERE v.user_id = u.id) BETWEEN now() - interval '5 days' AND now() - interval '3 days' AS is_back,
        (SELECT array_agg(n.text) FROM notices n WHERE n.user_id = u.id AND n.kind = 'turned') AS told
      FROM users u JOIN user_stats t ON t.user_id = u.id JOIN voter_standing s ON s.user_id = u.id WHERE u.wallet_address = '${VOTER.address}'`),
  ).toEqual([
    {
      balance: 360,
      votes: 36,
      state: 'standing',
      has_said: true,
      is_back: true,
      told: [expect.stringContaining('Longship Mutiny turned')],
    },
  ]);
  expect(
    await offenders(`SELECT p.name, ceil(extract(epoch FROM p.expires_at - now()) / 86400)::int AS days_left, (SELECT count(*)::int FROM projects c
        JOIN verified_stats n ON n.project_id = c.id WHERE c.category = p.category AND c.expires_at > now() AND n.bullish + n.bearish >= 10) AS category
      FROM projects p JOIN users u ON u.id = p.owner_id WHERE u.wallet_address = '${OWNER.address}'`),
  ).toEqual([{ name: OWNED_LISTING, days_left: 10, category: 5 }]);
});

test('a stranger who verifies the demo finds no difference [R13 R43]', async () => {
  const env = { LOG_PRIVATE_KEY: logKey() };
  const server = await startServer(url, { env });
  await closeDays(server.services);
  await closeToday(server.services);
  await digestVotes(server.services);
  await server.close();
  const { checks } = await verifyAsStranger(url, env);
  expect(checks.filter(({ state }) => state === 'differs')).toEqual([]);
});

test('a server that was started before the demo was seeded counts its votes [R69]', async () => {
  const empty = await createTestDatabase();
  const server = await startServer(empty.url);
  for (const job of jobs) await runOnce(server.services, job);
  expect(await seedIfEmpty(empty.url)).toBe(true);
  const { rows } = await server.services.pool.query<{ said: number; votes: number }>(`
    SELECT value::int AS said, (SELECT count(*)::int FROM opinions WHERE said_at < (SELECT max(until) FROM closed_days)) AS votes FROM totals WHERE name = 'said'`);
  expect(rows[0]?.said).toBe(rows[0]?.votes);
  expect(await findDifferences(server.services.db)).toEqual([]);
  await server.close();
  await empty.drop();
});

test('the plan satisfies the limits at every hour of the day, even just after midnight [R8]', () => {
  const midnight = Date.UTC(2030, 2, 1);
  for (const minutes of [0, 1, 30, 5 * 60, 12 * 60, 24 * 60 - 1]) {
    const nowMs = midnight + minutes * 60_000;
    const votes = planVotes(nowMs);
    expect(votes.length).toBeGreaterThan(450);
    expect(Math.max(...votes.map(({ atMs }) => atMs))).toBeLessThanOrEqual(nowMs);
    for (const voter of new Set(votes.map((vote) => vote.voter))) {
      expect(() => countVotes(votes.filter((vote) => vote.voter === voter))).not.toThrow();
    }
    expect(votes.filter(({ voter }) => voter.walletAddress === VOTER.address)).toHaveLength(36);
    expect(planVotes(nowMs)).toEqual(votes);
  }
});
