import fc from 'fast-check';
import { sql } from 'kysely';
import type pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import type { Project } from '#shared/contract/types.ts';
import { createCache } from '#server/kit/cache/cache.ts';
import { type TestApp, createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProject, insertProjects, insertUser, removeProjects } from '#lab/testing/builders.ts';
import { type TestUser, newUser, withSession, castVote } from '#lab/testing/client.ts';
import { createFeed } from './feed.ts';
import type { FeedPage } from '#server/kit/services.ts';
import { compareHashes, hashInt8, toSeed } from './feed-hash.ts';
import { listFeed } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
const fresh = () => removeProjects(db);

/** For a slow machine; the awaited events take milliseconds. */
const PATIENCE = { timeout: 15_000 };

/** Waits until a server responds from memory. */
async function warm({ services }: TestApp): Promise<void> {
  await vi.waitFor(() => expect(services.cache.isUsable()).toBe(true), PATIENCE);
}

/** A second server on the same database, which learns of the first one's writes by notifications only. */
async function another(): Promise<TestApp> {
  const other = await startServer(server.databaseUrl);
  onTestFinished(() => other.close());
  await warm(other);
  return other;
}

const feedOf = (user: TestUser, headers?: Record<string, string>) =>
  user.get<Project[]>(`/api/projects?userId=${user.id}`, headers);
const idsOf = async (user: TestUser): Promise<number[]> => (await feedOf(user)).body.map(({ id }) => id);

test('the feed hashes a number as PostgreSQL does, for any seed [R11]', async () => {
  const value = fc.oneof(fc.nat(), fc.maxSafeNat());
  const property = fc.asyncProperty(
    fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 200 }),
    async (triples) => {
      const { rows } = await sql<{ plain: string; seeded: string }>`
        SELECT hashint8extended(a, b)::text AS plain, hashint8extended(c, hashint8extended(a, b))::text AS seeded
        FROM unnest(${triples.map(([a]) => a)}::bigint[], ${triples.map(([, b]) => b)}::bigint[],
          ${triples.map(([, , c]) => c)}::bigint[]) WITH ORDINALITY AS t(a, b, c, ord) ORDER BY ord`.execute(db);
      const text = ({ high, low }: ReturnType<typeof hashInt8>) => ((BigInt(high) << 32n) | BigInt(low)).toString();
      const own = triples.map(([a, b, c]) => {
        const seed = hashInt8(a, toSeed(b));
        return { plain: text(seed), seeded: text(hashInt8(c, seed)) };
      });
      expect(own).toEqual(rows);
    },
  );
  await fc.assert(property, runs(20));
  expect(compareHashes({ high: -1, low: 0xffff_ffff }, { high: 0, low: 0 })).toBeLessThan(0);
  expect(compareHashes({ high: 0, low: 0x8000_0000 }, { high: 0, low: 1 })).toBeGreaterThan(0);
  expect(compareHashes({ high: 0, low: 1 }, { high: 0, low: 0x8000_0000 })).toBeLessThan(0);
});

const kinds = fc.constantFrom('open', 'open', 'voted', 'own', 'hidden', 'expired', 'own and voted', 'again', 'soon');

test('the feed from memory is exactly that of the database, for any mix of projects [R11 R45 S7.3]', async () => {
  const user = await newUser(server);
  const other = await insertUser(db);
  const property = fc.asyncProperty(fc.array(kinds, { maxLength: 130 }), async (list) => {
    await fresh();
    const { rows } = await sql<{ id: number }>`
      INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at)
      SELECT 'mix-' || gen_random_uuid(), 'Mix “' || ord, 'DeFi', 'Mixed', '0', 'mix',
        CASE WHEN kind LIKE 'own%' THEN ${user.id}::bigint ELSE ${other}::bigint END, now() + interval '31 days'
      FROM unnest(${list}::text[]) WITH ORDINALITY AS t(kind, ord) RETURNING id`.execute(db);
    const of = (...wanted: string[]) =>
      rows.filter((_, index) => wanted.includes(list[index] ?? '')).map(({ id }) => id);
    const change = (set: ReturnType<typeof sql>, ids: number[]) =>
      sql`UPDATE projects SET ${set} WHERE id = ANY (${ids})`.execute(db);
    await change(sql`hidden_at = now()`, of('hidden'));
    await change(sql`expires_at = now() - interval '1 millisecond'`, of('expired'));
    // Still in the index of listed projects, until the hourly job runs.
    await change(sql`listed = true`, of('expired'));
    await sql`INSERT INTO votes (user_id, project_id, bullish, created_at)
      SELECT ${user.id}, id, true, now() FROM unnest(${of('voted', 'own and voted', 'again', 'soon')}::bigint[]) id`.execute(
      db,
    );
    // Voted on in an earlier listing period, and in one whose successor has not begun.
    const periods = (...starts: string[]) => sql`period_starts = ${starts}::timestamptz[]`;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await change(periods(inDays(-40), inDays(-9)), of('again'));
    await change(periods(inDays(-9), inDays(22), inDays(53)), of('soon'));
    await sql`INSERT INTO project_stats (project_id, bullish, bearish)
      SELECT id, id % 7, id % 3 FROM unnest(${of('open')}::bigint[]) id`.execute(db);

    const expected = await listFeed(db, user.id);
    await vi.waitFor(async () => {
      const { body, headers } = await feedOf(user);
      expect(body).toEqual(expected.projects);
      expect(headers.get('x-total-count')).toBe(String(expected.total));
      expect(server.services.cache.getCached('feed-cards')).toBeDefined();
    }, PATIENCE);
    expect(expected.total).toBe(of('open', 'again').length);
  });
  await warm(server);
  await fc.assert(property, runs(15));
});

test('the feed uses verified votes as last counted, and does not read them after each vote [R11 R38]', async () => {
  await fresh();
  await warm(server);
  const [watched = 0, ...others] = await insertProjects(db, 3);
  const [user, viewer] = [await newUser(server), await newUser(server)];
  const { cache } = server.services;
  const cardOf = async () => (await feedOf(viewer)).body.find(({ id }) => id === watched);
  expect(await cardOf()).toMatchObject({ totalVotes: 0, verified: { bullish: 0, bearish: 0 } });
  const loaded = cache.getCached('feed-verified');
  for (const id of [watched, ...others]) await castVote(user, id);
  await vi.waitFor(async () => expect(await cardOf()).toMatchObject({ totalVotes: 1 }), PATIENCE);
  expect(cache.getCached('feed-verified')).toBe(loaded);
  await db.insertInto('verifiedStats').values({ projectId: watched, bullish: 1, bearish: 0 }).execute();
  expect(await cardOf()).toMatchObject({ totalVotes: 1, verified: { bullish: 1, bearish: 0 } });
});

test('the feed never returns a project again after a vote, whichever server is asked next [R11]', async () => {
  await fresh();
  const other = await another();
  await warm(server);
  await insertProjects(db, 12);
  const user = await newUser(server);
  const servers = [user, withSession(other, user)];
  await vi.waitFor(async () => {
    for (const client of servers) expect((await feedOf(client)).body).toHaveLength(12);
  }, PATIENCE);
  for (let round = 0; round < 12; round += 1) {
    const [here = user, there = user] = round % 2 === 0 ? servers : servers.toReversed();
    const [top = 0] = await idsOf(here);
    expect((await castVote(here, top)).status).toBe(200);
    const [elsewhere, same] = await Promise.all([feedOf(there), feedOf(here)]);
    for (const { body, headers } of [elsewhere, same]) {
      expect(body.map(({ id }) => id)).not.toContain(top);
      expect(headers.get('x-total-count')).toBe(String(11 - round));
    }
  }
});

/** Cards of a feed, and their total number. */
const shown = ({ json, total }: FeedPage) => ({
  ids: (JSON.parse(json.toString()) as Project[]).map(({ id }) => id).toSorted((one, other) => one - other),
  total,
});

test('a listing leaves the feed at the microsecond in which it ends, without a write [R11 S4.6]', async () => {
  await fresh();
  const [stays = 0, ends = 0] = await insertProjects(db, 2);
  const user = await newUser(server);
  const { rows } = await sql<{
    endsUs: string;
  }>`UPDATE projects SET expires_at = now() + interval '1 hour' WHERE id = ${ends}
    RETURNING (extract(epoch FROM expires_at) * 1000000)::bigint::text AS "endsUs"`.execute(db);
  const endsUs = Number(rows[0]?.endsUs);
  // Sets the time of the database's clock.
  let nowUs = 0;
  const query = async (config: pg.QueryConfig) => {
    const result = await server.services.pool.query(config);
    return { ...result, rows: result.rows.map((row: object) => ({ ...row, now: String(nowUs) })) };
  };
  const pool: pg.Pool = Object.assign(Object.create(server.services.pool) as pg.Pool, { query });
  const cache = createCache();
  cache.setValidUntil(Number.POSITIVE_INFINITY);
  const feed = createFeed({ ...server.services, pool, cache });
  const shownAt = async (us: number) => {
    nowUs = us;
    return shown(await feed.read(user.id));
  };
  expect(await shownAt(endsUs - 1)).toEqual({ ids: [stays, ends], total: 2 });
  expect(await shownAt(endsUs)).toEqual({ ids: [stays], total: 1 });
});

test('writes by psql reach the feed of every server: text, counters, owner, hidden and listed again', async () => {
  await fresh();
  const other = await another();
  await warm(server);
  const id = await insertProject(db, { name: 'First name' });
  const user = await newUser(server);
  const clients = [user, withSession(other, user)];
  const eventually = (check: (body: Project[]) => void) =>
    vi.waitFor(async () => {
      for (const client of clients) check((await feedOf(client)).body);
    }, PATIENCE);
  await eventually((body) => expect(body[0]?.name).toBe('First name'));
  await sql`UPDATE projects SET name = 'Second “name”' WHERE id = ${id}`.execute(db);
  await eventually((body) => expect(body[0]?.name).toBe('Second “name”'));
  await sql`UPDATE project_stats SET bullish = 5, bearish = 2 WHERE project_id = ${id}`.execute(db);
  await eventually((body) => expect(body[0]).toMatchObject({ bullishCount: 5, bearishCount: 2, totalVotes: 7 }));
  await sql`UPDATE project_stats SET bearish = 3 WHERE project_id = ${id}`.execute(db);
  await eventually((body) => expect(body[0]).toMatchObject({ bullishCount: 5, bearishCount: 3, totalVotes: 8 }));
  await sql`UPDATE projects SET hidden_at = now() WHERE id = ${id}`.execute(db);
  await eventually((body) => expect(body).toEqual([]));
  await sql`UPDATE projects SET hidden_at = NULL WHERE id = ${id}`.execute(db);
  await eventually((body) => expect(body).toHaveLength(1));
  await sql`UPDATE projects SET owner_id = ${user.id} WHERE id = ${id}`.execute(db);
  await eventually((body) => expect(body).toEqual([]));
});

test('an unchanged feed is a 304 with the total; `limit` takes its first cards [R11]', async () => {
  await fresh();
  await warm(server);
  await insertProjects(db, 55);
  const user = await newUser(server);
  await vi.waitFor(async () => expect((await feedOf(user)).headers.get('x-total-count')).toBe('55'), PATIENCE);
  const whole = await feedOf(user);
  const etag = whole.headers.get('etag') ?? '';
  expect(whole.headers.get('cache-control')).toBe('private, no-cache');
  const again = await feedOf(user, { 'if-none-match': etag });
  expect(again.status).toBe(304);
  expect(again.headers.get('x-total-count')).toBe('55');
  const first = await user.get<Project[]>(`/api/projects?userId=${user.id}&limit=7`);
  expect(first.body).toEqual(whole.body.slice(0, 7));
  expect(first.headers.get('x-total-count')).toBe('55');
  for (const limit of ['0', '51', '-1', 'x', '1.5'])
    expect((await user.get(`/api/projects?userId=${user.id}&limit=${limit}`)).status).toBe(400);

  await castVote(user, whole.body[0]?.id ?? 0);
  const changed = await feedOf(user, { 'if-none-match': etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('x-total-count')).toBe('54');
});
