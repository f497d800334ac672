import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { UserStats } from '#shared/contract/types.ts';
import { type TestApp, createTestApp, startServer } from '#lab/testing/app.ts';
import { empty, insertProject, insertProjects, insertUser } from '#lab/testing/builders.ts';
import { Client, newUser, withSession, castVote } from '#lab/testing/client.ts';
import { startSilentProxy } from '#lab/testing/silent-proxy.ts';
import { createCache } from './cache.ts';
import { listenForChanges } from './notifications.ts';
import { insertReviews } from '#lab/testing/lists.ts';

const one = await createTestApp();
const { db } = one.services;

/** A second server on the same database, which learns of the first one's writes by notifications only. */
async function another(): Promise<TestApp> {
  const server = await startServer(one.databaseUrl);
  onTestFinished(() => server.close());
  return server;
}

/** For a slow machine; what is waited for takes milliseconds. */
const PATIENCE = { timeout: 15_000 };

/** Waits until a server answers from memory. */
async function warm(server: TestApp): Promise<void> {
  await vi.waitFor(async () => {
    await server.services.cache.getOrLoad('probe', [], async () => ({ value: true }));
    expect(server.services.cache.getCached('probe')).toBe(true);
  }, PATIENCE);
}

test('an unchanged poll is answered 304 from memory; a vote changes it at once on this server, and soon on the other [S7.10 S7.11]', async () => {
  const other = await another();
  await Promise.all([warm(one), warm(other)]);
  const user = await newUser(one);
  const elsewhere = withSession(other, user);
  for (const path of [`/api/users/${user.id}/stats`, `/api/users/${user.id}/voting-status`]) {
    const [projectId = 0] = await insertProjects(db, 1);
    const first = await user.get(path);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const unchanged = await user.get(path, { 'if-none-match': etag });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get('etag')).toBe(etag);
    expect(unchanged.headers.get('cache-control')).toBe('private, no-cache');
    expect(unchanged.headers.has('x-total-count')).toBe(false);
    expect((await elsewhere.get(path, { 'if-none-match': etag })).status).toBe(304);

    expect((await castVote(user, projectId)).status).toBe(200);
    const changed = await user.get(path, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.body).not.toEqual(first.body);
    await vi.waitFor(async () => expect((await elsewhere.get(path)).body).toEqual(changed.body), PATIENCE);
  }
});

test('a session ended in the database ends at once on every server, whichever connection wrote that [R1]', async () => {
  await warm(one);
  const user = await newUser(one);
  const read = async () => (await user.get(`/api/users/${user.id}/stats`)).status;
  expect([await read(), await read()]).toEqual([200, 200]);
  await sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${user.id}`.execute(db);
  expect(await read()).toBe(401);
});

describe('every public list shows what psql or the console writes [S7.3 S7.13 S7.14]', () => {
  interface Listed {
    projectId: number;
    /** Has votes and one review of the project. */
    voter: number;
  }
  async function listed(): Promise<Listed> {
    await empty(db);
    const projectId = await insertProject(db, { name: 'First name' });
    const voter = await insertUser(db);
    await sql`INSERT INTO top_voters (user_id, total_votes) VALUES (${voter}, 700)`.execute(db);
    await sql`INSERT INTO reviews (project_id, user_id, content) VALUES (${projectId}, ${voter}, 'First words')`.execute(
      db,
    );
    await warm(one);
    return { projectId, voter };
  }
  const [preview, ranked, voters] = ['/api/projects', '/api/projects/leaderboard/all', '/api/leaderboard'];
  const reviews = ({ projectId }: Listed) => `/api/projects/${projectId}/reviews`;
  const read = (path: string) => new Client(one.url).get(path).then(({ body }) => JSON.stringify(body));
  const set = (table: string, assignment: string, key: string, id: number) =>
    sql.raw(`UPDATE ${table} SET ${assignment} WHERE ${key} = ${id}`);

  // One write each, so that no other notification can reach the list.
  test.each<[what: string, write: (of: Listed) => RawBuilder<unknown>, lists: (of: Listed) => string[], text: string]>([
    [
      'a new name of a project',
      ({ projectId }) => set('projects', `name = 'Second name'`, 'id', projectId),
      () => [preview, ranked],
      'Second name',
    ],
    [
      'votes of a project',
      ({ projectId }) => set('project_stats', 'bullish = 7654321', 'project_id', projectId),
      () => [preview, ranked],
      '7654321',
    ],
    [
      'a review',
      ({ projectId, voter }) =>
        sql`INSERT INTO reviews (project_id, user_id, content) VALUES (${projectId}, ${voter}, 'Second words')`,
      (of) => [reviews(of)],
      'Second words',
    ],
    [
      'a new name of a user',
      ({ voter }) => set('users', `username = 'renamed_voter'`, 'id', voter),
      (of) => [reviews(of), voters],
      'renamed_voter',
    ],
  ])('every public list shows %s that psql writes', async (_what, write, lists, text) => {
    const of = await listed();
    for (const path of lists(of)) expect(await read(path)).not.toContain(text);
    await write(of).execute(db);
    for (const path of lists(of)) expect(await read(path)).toContain(text);
  });

  test('the list of reviews drops a review that psql deletes', async () => {
    const of = await listed();
    expect(await read(reviews(of))).toContain('First words');
    await sql`DELETE FROM reviews WHERE project_id = ${of.projectId}`.execute(db);
    expect(await read(reviews(of))).not.toContain('First words');
  });
});

test('a write to more users than one notification can name reaches each of them', async () => {
  await warm(one);
  const user = await newUser(one);
  const { rows } = await sql<{ id: number }>`INSERT INTO users (wallet_address)
    SELECT '0x' || lpad(to_hex(i), 64, '0') FROM generate_series(1, 300) i RETURNING id`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`INSERT INTO user_stats (user_id) SELECT unnest(${ids}::bigint[])`.execute(db);
  const votes = async () => (await user.get<UserStats>(`/api/users/${user.id}/stats`)).body.totalVotes;
  expect(await votes()).toBe(0);
  await sql`UPDATE user_stats SET total_votes = total_votes + 1, bullish = bullish + 1
    WHERE user_id = ANY (${[...ids, user.id]}::bigint[])`.execute(db);
  expect(await votes()).toBe(1);
});

test('the leaderboard is cached for each user separately: each user sees their own rank [S3.8 S7.13]', async () => {
  await empty(db);
  await warm(one);
  const users = [await newUser(one), await newUser(one), await newUser(one)];
  await sql`INSERT INTO vote_totals (day, total_votes, users, in_steps) VALUES ('2026-01-01', 9000, 1, false), ('2026-01-01', 8999, 1, false), ('2026-01-01', 8998, 1, false)`.execute(
    db,
  );
  for (const [index, { id }] of users.entries())
    await sql`UPDATE user_stats SET total_votes = ${9_000 - index}, bullish = ${9_000 - index} WHERE user_id = ${id}`.execute(
      db,
    );
  const rankOf = async (client: Client, query = '') =>
    (await client.get<{ currentUserRank: number | null }>(`/api/leaderboard${query}`)).body.currentUserRank;
  for (let round = 0; round < 2; round += 1) {
    for (const [index, user] of users.entries()) expect(await rankOf(user, `?userId=${user.id}`)).toBe(index + 1);
    expect(await rankOf(new Client(one.url))).toBeNull();
  }
});

describe('a cached value is used until time alone makes it wrong', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Whether the value is cached at that moment, on a server that receives notifications. */
  function isCachedAt(key: string, timeMs: number): boolean {
    vi.setSystemTime(timeMs);
    one.services.cache.setValidUntil(Number.POSITIVE_INFINITY);
    return one.services.cache.getCached(key) !== undefined;
  }
  const aroundEnd = (key: string, endMs: number) => [isCachedAt(key, endMs - 1), isCachedAt(key, endMs)];
  const inMinutes = async (minutes: number): Promise<number> => {
    const { rows } = await sql<{
      time: Date;
    }>`SELECT date_trunc('milliseconds', now()) + make_interval(mins => ${minutes}) AS time`.execute(db);
    return rows[0]?.time.getTime() ?? 0;
  };
  const tokenOf = ({ cookie }: Client): string => cookie.slice(cookie.indexOf('=') + 1);

  test("a cached '0 votes left' is used until the window ends [R8]", async () => {
    const user = await newUser(one);
    const endMs = await inMinutes(120);
    await sql`UPDATE user_stats SET window_votes = 25, window_started_at = ${new Date(endMs)}::timestamptz - interval '6 hours'
      WHERE user_id = ${user.id}`.execute(db);
    await warm(one);
    const { body } = await user.get(`/api/users/${user.id}/voting-status`);
    expect(body).toMatchObject({ votesRemaining: 0, periodEndsAt: new Date(endMs).toISOString() });
    expect(aroundEnd(`voting-status:${user.id}`, endMs)).toEqual([true, false]);
  });

  test('a cached streak is used until the UTC day ends [R9]', async () => {
    const user = await newUser(one);
    await warm(one);
    await user.get(`/api/users/${user.id}/stats`);
    expect(aroundEnd(`stats:${user.id}`, new Date().setUTCHours(24, 0, 0, 0))).toEqual([true, false]);
  });

  test('a cached session is used until it ends, and for an hour at most [R1]', async () => {
    const [short, long] = [await newUser(one), await newUser(one)];
    const endMs = await inMinutes(30);
    await sql`UPDATE sessions SET expires_at = ${new Date(endMs)} WHERE user_id = ${short.id}`.execute(db);
    await warm(one);
    const nowMs = Date.now();
    vi.setSystemTime(nowMs);
    for (const user of [short, long]) expect((await user.get(`/api/users/${user.id}/stats`)).status).toBe(200);
    expect(aroundEnd(`session:${tokenOf(short)}`, endMs)).toEqual([true, false]);
    expect(aroundEnd(`session:${tokenOf(long)}`, nowMs + 3_600_000)).toEqual([true, false]);
  });

  test('a cached list is used until the first of its listings ends [S4.6]', async () => {
    await sql`UPDATE projects SET hidden_at = now()`.execute(db);
    const [first = 0] = await insertProjects(db, 3);
    const endMs = await inMinutes(180);
    await sql`UPDATE projects SET expires_at = ${new Date(endMs)} WHERE id = ${first}`.execute(db);
    await warm(one);
    const visitor = new Client(one.url);
    const start = await visitor.get<unknown[]>('/api/projects?limit=1');
    expect(start.headers.get('x-total-count')).toBe('3');
    await visitor.get(`/api/projects?limit=1&cursor=${start.headers.get('x-next-cursor')}`);
    await visitor.get('/api/projects');
    await visitor.get('/api/projects/leaderboard/all');
    for (const key of ['preview:50', 'preview:1', 'active-projects', 'ranked rows'])
      expect([key, ...aroundEnd(key, endMs)]).toEqual([key, true, false]);
  });
});

test('without the connection for notifications every read asks the database, and nothing outdated is in memory afterwards', async () => {
  await warm(one);
  const { cache } = one.services;
  const user = await newUser(one);
  const stats = async () => (await user.get<UserStats>(`/api/users/${user.id}/stats`)).body.totalVotes;
  expect(await stats()).toBe(0);
  expect(cache.getCached(`stats:${user.id}`)).toBeDefined();
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'snapswipe-notifications' AND datname = current_database()`.execute(db);
  await expect.poll(() => cache.isUsable(), { interval: 5 }).toBe(false);
  await sql`UPDATE user_stats SET total_votes = 3, bullish = 3 WHERE user_id = ${user.id}`.execute(db);
  expect(await stats()).toBe(3);
  await warm(one);
  expect(await stats()).toBe(3);
  expect(await stats()).toBe(3);
});

test('without heartbeats the cache is trusted for a short time only, even if the connection is open', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { pool } = one.services;
  const cache = createCache();
  let beats = 0;
  // Like a pooler that keeps the connection and passes nothing on: only the first beat gets through.
  const query = ((beat: pg.QueryConfig) =>
    (beats += 1) === 1 ? pool.query(beat) : Promise.resolve()) as typeof pool.query;
  const silent = Object.assign(Object.create(pool) as typeof pool, { query });
  const reasons: string[] = [];
  const onError = ({ message }: Error) => void reasons.push(message);
  const listener = listenForChanges({ databaseUrl: one.databaseUrl, pool: silent, cache, onError });
  try {
    await expect.poll(() => cache.isUsable()).toBe(true);
    const isUsableIn = (ms: number) => (vi.advanceTimersByTime(ms), cache.isUsable());
    expect([1_000, 2_000].map(isUsableIn)).toEqual([true, false]);
    // They continue on a connection that comes back.
    await expect.poll(() => beats).toBeGreaterThan(1);
    expect(reasons).toEqual([]);
  } finally {
    vi.useRealTimers();
    await listener.stop();
  }
});

test('logs and replaces a lost connection, after failed heartbeats as after its end, and leaves none behind', async () => {
  const { pool } = one.services;
  const cache = createCache();
  let isBroken = true;
  const query = ((beat: pg.QueryConfig) =>
    isBroken ? Promise.reject(new Error('The pool is closed')) : pool.query(beat)) as typeof pool.query;
  const breaking = Object.assign(Object.create(pool) as typeof pool, { query });
  const reasons: string[] = [];
  const pids = async () => {
    const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
      WHERE application_name = 'snapswipe-notifications' AND datname = current_database()`.execute(db);
    return rows.map(({ pid }) => pid);
  };
  await warm(one);
  const before = await pids();
  const own = async () => (await pids()).filter((pid) => !before.includes(pid));
  const onError = ({ message }: Error) => void reasons.push(message);
  const listener = listenForChanges({ databaseUrl: one.databaseUrl, pool: breaking, cache, onError });
  try {
    await expect.poll(() => reasons[0], PATIENCE).toBe('The pool is closed');
    expect(cache.isUsable()).toBe(false);
    isBroken = false;
    await expect.poll(() => cache.isUsable(), PATIENCE).toBe(true);
    reasons.length = 0;
    expect(await own()).toHaveLength(1);
    for (const pid of await own()) await sql`SELECT pg_terminate_backend(${pid})`.execute(db);
    await expect.poll(() => reasons[0], PATIENCE).toMatch(/^terminating connection/);
    await expect.poll(() => cache.isUsable(), PATIENCE).toBe(true);
  } finally {
    await listener.stop();
  }
  await expect.poll(own, PATIENCE).toEqual([]);
});

test('replaces a connection on which nothing arrives and which does not end', async () => {
  const { pool } = one.services;
  const cache = createCache();
  const way = await startSilentProxy(one.databaseUrl);
  const reasons: string[] = [];
  const onError = ({ message }: Error) => void reasons.push(message);
  const databaseUrl = way.through(one.databaseUrl);
  const listener = listenForChanges({ databaseUrl, pool, cache, onError, silenceMs: 1_500 });
  try {
    await expect.poll(() => cache.isUsable(), PATIENCE).toBe(true);
    const before = way.opened();
    way.silence();
    await expect.poll(() => way.opened(), PATIENCE).toBeGreaterThan(before);
    expect(reasons).not.toEqual([]);
    await expect.poll(() => cache.isUsable(), PATIENCE).toBe(true);
  } finally {
    await listener.stop();
    await way.end();
  }
});

test('the cache stays on while all connections of the pool are taken: its heartbeat has a connection of its own', async () => {
  await warm(one);
  const { pool, cache } = one.services;
  const listener = new pg.Client({ connectionString: one.databaseUrl });
  await listener.connect();
  onTestFinished(() => listener.end());
  let beats = 0;
  listener.on('notification', ({ payload }) => (beats += payload?.startsWith('beat:') ? 1 : 0));
  await listener.query('LISTEN snapswipe');
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    const before = beats;
    await expect.poll(() => beats, PATIENCE).toBeGreaterThan(before + 3);
    expect(cache.isUsable()).toBe(true);
  } finally {
    for (const connection of taken) connection.release();
  }
});

test('a poll learns that the total changed, although its own page is the same [S9.4 S2.36]', async () => {
  const { cache } = one.services;
  const visitor = new Client(one.url);
  const poll = (path: string, etag?: string | null) => visitor.get(path, etag ? { 'if-none-match': etag } : {});
  const project = await insertProject(db);
  await insertReviews(db, project, await insertUser(db), 120);
  const path = `/api/projects/${project}/reviews`;
  await expect
    .poll(async () => (await poll(path)).status === 200 && cache.getCached(`reviews:${project}`) !== undefined)
    .toBe(true);
  const first = await poll(path);
  const etag = first.headers.get('etag');
  expect(first.headers.get('x-total-count')).toBe('120');
  expect((await poll(path, etag)).status).toBe(304);
  await sql`UPDATE reviews SET hidden_at = now() WHERE id = (SELECT min(id) FROM reviews WHERE project_id = ${project})`.execute(
    db,
  );
  await expect.poll(async () => (await poll(path, etag)).status).toBe(200);
  const { headers, body } = await poll(path, etag);
  expect(headers.get('x-total-count')).toBe('119');
  expect(body).toEqual(first.body);
});
