import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';

const server = await createTestApp();
const anyone = () => new Client(server.url);

describe('errors are JSON {error, message} with the right status and no internals [R34]', () => {
  test('an unknown route under /api gets 404', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/votes/1']) {
      expect(await anyone().get(path)).toMatchObject({
        status: 404,
        body: { error: 'not_found', message: expect.any(String) },
      });
    }
  });
  test('a wrong method gets 404', async () => {
    expect((await anyone().get('/api/votes')).status).toBe(404);
  });
  test('malformed JSON gets 400', async () => {
    const user = await newUser(server);
    const response = await user.post('/api/votes', '{"userId": 1,');
    expect(response).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    expect(JSON.stringify(response.body)).not.toMatch(/at .*\.ts|SyntaxError/);
  });
  test('JSON other than an object gets 400', async () => {
    const user = await newUser(server);
    for (const body of ['[]', '"vote"', '17', 'null', 'true']) {
      expect((await user.post('/api/votes', body)).status).toBe(400);
    }
  });
  test('another content type gets 415', async () => {
    const user = await newUser(server);
    const response = await user.post('/api/votes', 'userId=1', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(response).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } });
  });
  test('a body over the limit gets 413', async () => {
    const user = await newUser(server);
    const response = await user.post('/api/votes', {
      userId: user.id,
      projectId: 1,
      voteType: 'bullish',
      more: 'x'.repeat(100_000),
    });
    expect(response).toMatchObject({ status: 413, body: { error: 'too_large' } });
  });
  test('a prototype in the JSON gets 400', async () => {
    const user = await newUser(server);
    expect((await user.post('/api/votes', '{"__proto__": {"isAdmin": true}}')).status).toBe(400);
  });
  test.each([
    ['/api/projects/%E0%A4%A', 404],
    ['/projects/%E0%A4%A', 404],
    ['/api/projects/%00', 400],
    [`/api/projects/${'a'.repeat(300)}`, 404],
  ])('a path that cannot be decoded or stored, or is too long, gets its status: %s', async (path, status) => {
    expect((await anyone().get(path)).status).toBe(status);
  });
  test.each(['-1', '1e9', '99999999999999999999', "1' OR '1'='1", '1.5'])(
    'the invalid id %s is neither a user nor a project',
    async (id) => {
      const user = await newUser(server);
      expect(await user.get(`/api/users/${id}/stats`)).toMatchObject({ status: 403, body: { error: 'not_yours' } });
      expect((await user.get(`/api/projects/${id}`)).status).toBe(404);
    },
  );
});

test('every response has the security headers', async () => {
  for (const path of ['/api/config', '/api/nothing', '/healthz']) {
    const { headers } = await anyone().get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  }
});

test.each([
  '/api/config',
  '/api/nothing',
  '/api/openapi.json',
  '/api/v1/projects',
  '/api/v1/leaderboard.csv?day=2026-01-01',
  '/feed.xml',
  '/sitemap.xml',
  '/robots.txt',
  '/healthz',
])('%s loads nothing where a browser shows it as a page', async (path) => {
  const { headers } = await anyone().get(path);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
});

test('shared caches do not store responses of the API', async () => {
  expect((await anyone().get('/api/config')).headers.get('cache-control')).toBe('no-store');
});

test('/healthz and /readyz report that the server lives and reaches its database', async () => {
  expect(await anyone().get('/healthz')).toMatchObject({ status: 200, body: { ok: true } });
  expect(await anyone().get('/readyz')).toMatchObject({ status: 200, body: { ok: true } });
});

test('the public settings name the network, its chain and the admin wallet, and no secret [R21]', async () => {
  const { body } = await anyone().get('/api/config');
  expect(body).toMatchObject({
    network: 'localnet',
    chainId: expect.any(String),
    adminWallet: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(body)).not.toMatch(/password|postgres/i);
});

test('sign-in and writes are limited by address: 429 with Retry-After', async () => {
  const strict = await createTestApp({
    config: { signInsPerMinute: 3, writesPerMinute: 5 },
  });
  const client = new Client(strict.url);
  const signIns = await Promise.all(
    Array.from({ length: 5 }, () => client.post('/api/auth/wallet', { walletAddress: '0x1' })),
  );
  expect(signIns.map((a) => a.status).sort((a, b) => a - b)).toEqual([401, 401, 401, 429, 429]);
  const refused = signIns.find((a) => a.status === 429);
  expect(refused?.body).toMatchObject({ error: 'rate_limited', message: expect.any(String) });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  const writes = await Promise.all(Array.from({ length: 7 }, () => client.post('/api/votes', {})));
  expect(writes.filter((a) => a.status === 429)).toHaveLength(2);
});

test('closing waits for open votes: each was counted or refused before it ends', async () => {
  const other = await createTestApp();
  const { db, votes } = other.services;
  const user = await newUser(other);
  const projects = await insertProjects(db, 20);
  // The voter's row is locked, so that none of them can be decided before closing has begun.
  const blocker = await other.services.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT 1 FROM user_stats WHERE user_id = $1 FOR UPDATE', [user.id]);
  const responses = Promise.all(
    projects.map((projectId) => user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' })),
  );
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`SELECT count(*) AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db);
      return rows[0]?.waiting;
    })
    .toBeGreaterThan(0);
  let isClosed = false;
  const closing = votes.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  await blocker.query('COMMIT');
  blocker.release();
  await closing;
  const { rows } = await sql<{
    counted: number;
  }>`SELECT count(*) AS counted FROM votes WHERE user_id = ${user.id}`.execute(db);
  const statuses = (await responses).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(rows[0]?.counted ?? 0);
  expect(statuses).toContain(200);
});
