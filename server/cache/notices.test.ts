import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { UserStats } from '#shared/contract/types.ts';
import { type TestApp, createTestApp, startServer } from '../testing/app.ts';
import { findDifferences, insertProject, insertProjects, insertUser } from '../testing/builders.ts';
import { Client, type TestUser, newUser } from '../testing/client.ts';

const one = await createTestApp({ cache: true });
const { db } = one.services;

/** A second server on the same database, which hears of the first one's writes by notices only. */
async function another(): Promise<TestApp> {
  const server = await startServer(one.databaseUrl, { cache: true });
  onTestFinished(() => server.close());
  return server;
}

/** For a slow machine; what is waited for takes milliseconds. */
const PATIENCE = { timeout: 15_000 };

const at = (server: TestApp, { cookie, id, address, wallet }: TestUser): TestUser =>
  Object.assign(new Client(server.url), { cookie, id, address, wallet });

/** Waits until a server answers from memory. */
async function warm(server: TestApp): Promise<void> {
  await vi.waitFor(async () => {
    await server.services.cache.remember('probe', ['probe'], async () => ({ value: true }));
    expect(server.services.cache.peek('probe')).toBe(true);
  }, PATIENCE);
}

const vote = (user: TestUser, projectId: number) =>
  user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });

test('[S7.10 S7.11] an unchanged poll is answered 304 from memory; a vote changes it at once on this server, and soon on the other', async () => {
  const other = await another();
  await Promise.all([warm(one), warm(other)]);
  const user = await newUser(one);
  const elsewhere = at(other, user);
  for (const path of [`/api/users/${user.id}/stats`, `/api/users/${user.id}/voting-status`]) {
    const [projectId = 0] = await insertProjects(db, 1);
    const first = await user.get(path);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect((await user.get(path, { 'if-none-match': etag })).status).toBe(304);
    expect((await elsewhere.get(path, { 'if-none-match': etag })).status).toBe(304);

    expect((await vote(user, projectId)).status).toBe(200);
    const changed = await user.get(path, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(changed.body).not.toEqual(first.body);
    await vi.waitFor(async () => expect((await elsewhere.get(path)).body).toEqual(changed.body), PATIENCE);
  }
});

test('[R1] a session that ends on one server ends on the others', async () => {
  const other = await another();
  await Promise.all([warm(one), warm(other)]);
  const user = await newUser(one);
  const elsewhere = at(other, user);
  expect((await elsewhere.get(`/api/users/${user.id}/stats`)).status).toBe(200);
  const { cookie } = user;
  await user.post('/api/auth/logout');
  user.cookie = cookie;
  expect((await user.get(`/api/users/${user.id}/stats`)).status).toBe(401);
  await vi.waitFor(async () => expect((await elsewhere.get(`/api/users/${user.id}/stats`)).status).toBe(401), PATIENCE);
});

test('[S7.13 S7.14 S7.5 S7.3] every public list hears of what psql or the console writes', async () => {
  await warm(one);
  const anyone = new Client(one.url);
  const projectId = await insertProject(db, { name: 'First name' });
  const voter = await insertUser(db);
  const lists = [
    '/api/projects',
    '/api/projects/leaderboard/all',
    `/api/projects/${projectId}/reviews`,
    '/api/leaderboard',
  ];
  const read = async (): Promise<string[]> =>
    Promise.all(lists.map(async (path) => JSON.stringify((await anyone.get(path)).body)));
  await vi.waitFor(async () => expect((await read())[1]).toContain('First name'), PATIENCE);

  await sql`UPDATE projects SET name = 'Second name' WHERE id = ${projectId}`.execute(db);
  await sql`INSERT INTO reviews (project_id, user_id, content) VALUES (${projectId}, ${voter}, 'Written past the server')`.execute(
    db,
  );
  await sql`UPDATE user_stats SET total = 7, bullish = 7 WHERE user_id = ${voter}`.execute(db);
  await sql`UPDATE users SET username = 'renamed_voter' WHERE id = ${voter}`.execute(db);
  await vi.waitFor(async () => {
    const [preview, ranked, reviews, voters] = await read();
    expect(preview).toContain('Second name');
    expect(ranked).toContain('Second name');
    expect(reviews).toContain('Written past the server');
    expect(voters).toContain('renamed_voter');
  }, PATIENCE);
  await sql`DELETE FROM user_stats WHERE user_id = ${voter}`.execute(db);
  await vi.waitFor(async () => expect((await read())[3]).not.toContain('renamed_voter'), PATIENCE);
  expect((await sql<{ users: number }>`SELECT users FROM vote_totals WHERE total = 7`.execute(db)).rows).toEqual([
    { users: 0 },
  ]);
});

test('a listing that ends leaves the held lists by itself', async () => {
  await warm(one);
  const anyone = new Client(one.url);
  const projectId = await insertProject(db, { name: 'Ends soon' });
  await sql`UPDATE projects SET expires_at = now() + interval '3 seconds' WHERE id = ${projectId}`.execute(db);
  await vi.waitFor(
    async () => expect(JSON.stringify((await anyone.get('/api/projects')).body)).toContain('Ends soon'),
    PATIENCE,
  );
  await vi.waitFor(
    async () => expect(JSON.stringify((await anyone.get('/api/projects')).body)).not.toContain('Ends soon'),
    PATIENCE,
  );
});

test('while the connection for notices is gone, every read asks the database; then memory is used again', async () => {
  await warm(one);
  const user = await newUser(one);
  const stats = async () => (await user.get<UserStats>(`/api/users/${user.id}/stats`)).body.totalVotes;
  expect(await stats()).toBe(0);
  const cut = () =>
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'snapswipe-notices' AND datname = current_database()`.execute(db);
  await cut();
  await vi.waitFor(() => expect(one.services.cache.peek('probe')).toBeUndefined(), PATIENCE);
  await sql`UPDATE user_stats SET total = 3, bullish = 3 WHERE user_id = ${user.id}`.execute(db);
  await vi.waitFor(async () => expect(await stats()).toBe(3), PATIENCE);
  await sql`UPDATE user_stats SET total = 0, bullish = 0 WHERE user_id = ${user.id}`.execute(db);
  await vi.waitFor(async () => {
    await warm(one);
    expect(await stats()).toBe(0);
  }, PATIENCE);
});

test('a long list comes compressed when the client can read that, the same in every form', async () => {
  await warm(one);
  await insertProjects(db, 20);
  const plain = await (await fetch(`${one.url}/api/projects`, { headers: { 'accept-encoding': 'identity' } })).text();
  for (const encoding of ['br', 'gzip']) {
    const answer = await fetch(`${one.url}/api/projects`, { headers: { 'accept-encoding': encoding } });
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe(plain);
  }
});

test('[S2.17] ranks from the histogram are those of counting, whoever votes', async () => {
  const projects = await insertProjects(db, 4);
  const voters = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const userId = await insertUser(db);
      const tokenHash = createHash('sha256').update(randomBytes(16)).digest();
      await sql`INSERT INTO sessions (token_hash, user_id, expires_at) VALUES (${tokenHash}, ${userId}, now() + interval '1 day')`.execute(
        db,
      );
      return { userId, tokenHash };
    }),
  );
  await Promise.all(
    voters.flatMap((voter, index) =>
      projects
        .slice(0, 1 + (index % 4))
        .map((projectId) => one.services.votes.castVote({ ...voter, projectId, bullish: true })),
    ),
  );
  const { rows } = await sql<{ total: number; users: number; counted: number }>`
    SELECT total, users, (SELECT count(*) FROM user_stats s WHERE s.total = t.total) AS counted FROM vote_totals t`.execute(
    db,
  );
  for (const { users, counted } of rows) expect(users).toBe(counted);
  expect(await findDifferences(db)).toEqual([]);
});
