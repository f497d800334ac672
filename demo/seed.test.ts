import sharp from 'sharp';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, IMAGE_WIDTHS_PX, LISTING_MS, VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { isWebLink, twitterHandle } from '#shared/link-rules.ts';
import { validateUsername } from '#shared/profile-rules.ts';
import { isReservedSlug } from '#shared/reserved-slugs.ts';
import { validateReview } from '#shared/rules.ts';
import { countChars } from '#shared/text.ts';
// oxlint-disable-next-line no-restricted-imports -- the harness that gives tests their database is the server's
import { createTestDatabase } from '#server/testing/app.ts';
// oxlint-disable-next-line no-restricted-imports -- the job whose results the seed anticipates
import { countVerified } from '#server/standing/count-verified.ts';
import { openDatabase, type Database } from '#db/client.ts';
import { seed, seedIfEmpty } from './seed.ts';
import { countVotes, planVotes } from './history.ts';
import { DEMO_PROJECTS } from './projects.ts';

let database: Database;
let url: string;
let drop: () => Promise<void>;
let outcomes: boolean[];

beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
  // Two processes at their first start, on one database.
  outcomes = await Promise.all([seedIfEmpty(url), seedIfEmpty(url)]);
  database = openDatabase(url, { maxConnections: 4 });
});
afterAll(async () => {
  await database.close();
  await drop();
});

/** Rows that break a rule; no test needs any. */
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

test("votes cover sixty days, so that the oldest projects' charts do [R50]", async () => {
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

  test('every review burned its price, and the burned tokens had been issued [R13 R15]', async () => {
    expect(
      await offenders(`SELECT r.id FROM reviews r
        LEFT JOIN token_ledger l ON l.kind = 'review_burn' AND l.ref = r.id AND l.user_id = r.user_id AND l.amount = -10000
        WHERE l.ref IS NULL OR l.created_at <> r.created_at`),
    ).toEqual([]);
    // At no moment had a user burned more than earned.
    expect(
      await offenders(`SELECT user_id FROM (
          SELECT user_id, sum(amount) OVER (PARTITION BY user_id ORDER BY created_at, kind) AS balance FROM ledger_entries) l
        WHERE balance < 0`),
    ).toEqual([]);
  });

  test('every balance equals its ledger and ten for each vote, and is never negative [R13]', async () => {
    expect(
      await offenders(`SELECT * FROM user_stats s
        LEFT JOIN (SELECT user_id, sum(amount) AS amount FROM ledger_entries GROUP BY user_id) l USING (user_id)
        WHERE s.balance <> coalesce(l.amount, 0) OR s.balance <> s.total_votes * 10`),
    ).toEqual([]);
    expect(
      await offenders(
        `SELECT * FROM token_ledger l WHERE kind = 'review_burn' AND ref NOT IN (SELECT id FROM reviews)`,
      ),
    ).toEqual([]);
  });

  test('counters of projects and people equal the sums of their votes', async () => {
    expect(
      await offenders(`SELECT p.id FROM projects p LEFT JOIN project_stats s ON s.project_id = p.id
        LEFT JOIN vote_states v ON v.project_id = p.id AND v.replaced_at IS NULL GROUP BY p.id, s.project_id
        HAVING s.project_id IS NULL OR s.bullish <> count(*) FILTER (WHERE v.bullish)
          OR s.bearish <> count(*) FILTER (WHERE NOT v.bullish)`),
    ).toEqual([]);
    expect(
      await offenders(`SELECT u.id FROM users u LEFT JOIN user_stats s ON s.user_id = u.id
        LEFT JOIN votes v ON v.user_id = u.id GROUP BY u.id, s.user_id
        HAVING s.user_id IS NULL OR s.total_votes <> count(v.user_id) OR s.bullish <> count(*) FILTER (WHERE v.bullish)
          OR s.bearish <> count(*) FILTER (WHERE NOT v.bullish)
          OR s.last_day IS DISTINCT FROM max((v.created_at AT TIME ZONE 'UTC')::date)`),
    ).toEqual([]);
  });

  test('some listings are in a later period, in which voters have voted again [R45]', async () => {
    expect(
      await offenders(
        `SELECT * FROM votes v JOIN projects p ON p.id = v.project_id WHERE v.period <> period_at(p.period_starts, v.created_at)`,
      ),
    ).toEqual([]);
    const { rows } = await database.pool.query<{ period: number; replaced: number }>(`
      SELECT max(n.period)::int AS period, count(*)::int AS replaced FROM vote_states v
      JOIN votes n ON n.user_id = v.user_id AND n.project_id = v.project_id AND n.created_at = v.replaced_at GROUP BY v.project_id`);
    expect(rows.length).toBeGreaterThan(2);
    expect(Math.max(...rows.map(({ period }) => period))).toBe(3);
    expect(rows.reduce((sum, { replaced }) => sum + replaced, 0)).toBeGreaterThan(20);
  });

  test('a streak is the run of days up to the last one [R9]', async () => {
    const rows = await sql<{ streak: number; lastDay: number; days: number[] | null }>`
      SELECT s.streak, s.last_day - date '1970-01-01' AS last_day,
        array_agg(DISTINCT (v.created_at AT TIME ZONE 'UTC')::date - date '1970-01-01') AS days
      FROM user_stats s JOIN votes v USING (user_id) GROUP BY s.user_id`.execute(database.db);
    for (const { streak, lastDay, days } of rows.rows) {
      const voted = new Set(days);
      let run = 0;
      while (voted.has(lastDay - run)) run += 1;
      expect(streak).toBe(run);
    }
    expect(Math.max(...rows.rows.map(({ streak }) => streak))).toBeGreaterThanOrEqual(5);
  });

  test("the demo's standing is plausible: most votes are verified, some voters hold no SUI, old votes are decided, some days were skipped [R38]", async () => {
    const days = await database.pool.query(
      'SELECT skipped FROM standing_days WHERE day < (now() AT TIME ZONE $1)::date',
      ['UTC'],
    );
    expect(days.rows.filter(({ skipped }) => skipped !== null)).toHaveLength(4);
    expect(days.rows.length).toBeGreaterThanOrEqual(60);
    const decided = await database.pool.query<{ state: string; votes: number }>(
      'SELECT state::text AS state, count(*)::int AS votes FROM vote_decisions GROUP BY 1 ORDER BY 1',
    );
    // Everything that is 35 days old is decided, most of it verified, and nothing waits.
    expect(decided.rows.map(({ state }) => state)).toEqual(['no_standing', 'verified']);
    const [excluded, verified] = decided.rows;
    expect(verified?.votes).toBeGreaterThan(2 * (excluded?.votes ?? 0));
    const states = await database.pool.query<{ state: string; votes: number }>(
      'SELECT state::text AS state, count(*)::int AS votes FROM vote_states GROUP BY 1',
    );
    const votes = new Map(states.rows.map((row) => [row.state, row.votes]));
    const all = await count('votes');
    expect((votes.get('verified') ?? 0) / all).toBeGreaterThan(0.4);
    for (const state of ['waiting', 'no_standing', 'moderator'])
      expect([state, votes.get(state)]).not.toEqual([state, undefined]);
    const { rows } = await database.pool.query<{ projects: number }>(
      'SELECT count(*)::int AS projects FROM verified_stats WHERE bullish + bearish > 0',
    );
    expect(rows[0]?.projects).toBeGreaterThan(25);
  });

  test("the first count of a server changes none of the seed's counters [R38]", async () => {
    const counters = async () =>
      (
        await database.pool
          .query(`SELECT to_jsonb(v) AS row FROM verified_stats v UNION ALL SELECT to_jsonb(d) FROM vote_state_days d
          UNION ALL SELECT to_jsonb(s) FROM voter_standing s ORDER BY 1`)
      ).rows;
    // A voter who has become old enough since the seed does not count as a difference.
    await database.pool.query(`UPDATE users SET created_at = created_at + interval '30 minutes'
      WHERE created_at BETWEEN now() - interval '7 days 29 minutes' AND now() - interval '7 days'
        AND id IN (SELECT user_id FROM voter_standing WHERE state = 'waiting')`);
    const before = await counters();
    expect(await countVerified({ db: database.db, config: { standingMinDays: 7 }, undoWindowMs: 0 })).toBe(true);
    expect(await counters()).toEqual(before);
  });

  test('no window of six hours holds more than 25 votes [R8]', async () => {
    expect(
      await offenders(`SELECT user_id FROM (
          SELECT user_id, count(*) OVER (PARTITION BY user_id ORDER BY created_at
            RANGE BETWEEN interval '${VOTE_WINDOW_HOURS} hours' PRECEDING AND CURRENT ROW) AS n FROM votes) w
        WHERE n > ${VOTES_PER_WINDOW}`),
    ).toEqual([]);
    expect(
      await offenders(`SELECT s.user_id FROM user_stats s JOIN votes v ON v.user_id = s.user_id AND v.created_at >= s.window_started_at
        GROUP BY s.user_id, s.window_votes HAVING count(*) <> s.window_votes OR s.window_votes = 0`),
    ).toEqual([]);
  });

  test('projects have every category, valid texts and links, whole months, and most are still open to a newcomer', async () => {
    const projects = await database.db.selectFrom('projects').selectAll().execute();
    expect(projects).toHaveLength(36);
    expect(new Set(projects.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
    for (const project of projects) {
      expect(countChars(project.description)).toBeLessThanOrEqual(200);
      expect(twitterHandle(project.twitterHandle)).toBe(project.twitterHandle);
      expect(project.website === null || isWebLink(project.website)).toBe(true);
      expect(isReservedSlug(project.slug)).toBe(false);
      const lengthMs = project.expiresAt.getTime() - project.createdAt.getTime();
      expect(lengthMs % LISTING_MS).toBe(0);
    }
    const now = Date.now();
    const active = projects.filter(({ expiresAt }) => expiresAt.getTime() > now);
    expect(active.length).toBe(32);
    expect(active.some(({ expiresAt }) => expiresAt.getTime() < now + 2 * 86_400_000)).toBe(true);
    expect(await count('project_slugs')).toBe(36);
  });

  test('people have names that the product accepts, and most have pictures', async () => {
    const users = await database.db.selectFrom('users').selectAll().execute();
    expect(users).toHaveLength(40);
    const names = users.flatMap(({ username }) => (username === null ? [] : [username]));
    expect(names.map(validateUsername).filter((error) => error !== null)).toEqual([]);
    expect(names.length).toBe(38);
  });

  test('shares differ: the demo has loved, hated, hardly known and unknown projects', async () => {
    const stats = await database.db.selectFrom('projectStats').selectAll().execute();
    const shares = stats.filter((s) => s.bullish + s.bearish >= 15).map((s) => s.bullish / (s.bullish + s.bearish));
    expect(Math.max(...shares)).toBeGreaterThan(0.8);
    expect(Math.min(...shares)).toBeLessThan(0.35);
    const totals = stats.map((s) => s.bullish + s.bearish);
    expect(totals.filter((total) => total === 0)).toHaveLength(1);
    expect(totals.some((total) => total > 0 && total < 8)).toBe(true);
  });

  test('reviews are short enough, by voters of the project, not by its owner, after the vote [R15]', async () => {
    const reviews = await database.db.selectFrom('reviews').selectAll().execute();
    expect(reviews.length).toBeGreaterThanOrEqual(36);
    expect(reviews.map(({ content }) => validateReview(content)).filter((error) => error !== null)).toEqual([]);
    expect(
      await offenders(`SELECT r.id FROM reviews r JOIN projects p ON p.id = r.project_id
        LEFT JOIN (SELECT user_id, project_id, min(created_at) AS created_at FROM votes GROUP BY 1, 2) v
          ON v.project_id = r.project_id AND v.user_id = r.user_id
        WHERE p.owner_id = r.user_id OR v.user_id IS NULL OR r.created_at < v.created_at OR r.created_at > now()`),
    ).toEqual([]);
  });

  test('every picture exists as WebP in every width, projects in 3:4, and no two are alike [R25]', async () => {
    const images = await database.db
      .selectFrom('projects')
      .innerJoin('images', 'images.hash', 'projects.imageHash')
      .select(['images.hash', 'images.widthPx', 'images.width', 'images.height', 'images.bytes'])
      .execute();
    // The full size is the largest of the widths.
    expect(images).toHaveLength(36 * IMAGE_WIDTHS_PX.length);
    expect(new Set(images.map(({ hash }) => hash)).size).toBe(36);
    for (const { widthPx, width, height } of images) {
      expect(width).toBe(widthPx === 0 ? 640 : widthPx);
      expect(Math.abs(height / width - 4 / 3)).toBeLessThan(0.01);
    }
    const small = images.find(({ widthPx }) => widthPx === 96);
    expect(await sharp(small?.bytes).metadata()).toMatchObject({ format: 'webp', width: 96 });
    expect(
      await offenders(`SELECT avatar_hash FROM users WHERE avatar_hash IS NOT NULL AND NOT EXISTS (
        SELECT FROM images i WHERE i.hash = avatar_hash AND i.width_px = 0 AND i.width = i.height)`),
    ).toEqual([]);
  });
});

test('the plan satisfies the limits at every hour of the day, also just after midnight [R8]', () => {
  const midnight = Date.UTC(2030, 2, 1);
  for (const minutes of [0, 1, 30, 5 * 60, 12 * 60, 24 * 60 - 1]) {
    const nowMs = midnight + minutes * 60_000;
    const votes = planVotes(nowMs);
    expect(votes.length).toBeGreaterThan(450);
    expect(Math.max(...votes.map(({ atMs }) => atMs))).toBeLessThanOrEqual(nowMs);
    for (const voter of new Set(votes.map((vote) => vote.voter))) {
      expect(() => countVotes(votes.filter((vote) => vote.voter === voter))).not.toThrow();
    }
    expect(planVotes(nowMs)).toEqual(votes);
  }
});
