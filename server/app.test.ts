import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';

const server = await createTestApp();
const anyone = () => new Client(server.url);

const JSON_TYPE = 'application/json';

test.each<[what: string, method: string, path: string, status: number, error?: string, body?: string, type?: string]>([
  ['an unknown route', 'GET', '/api/nothing', 404, 'not_found'],
  ['the root of the API', 'GET', '/api/', 404, 'not_found'],
  ['a wrong method', 'DELETE', '/api/votes', 404],
  ['malformed JSON', 'POST', '/api/votes', 400, 'bad_request', '{"userId": 1,'],
  ['an empty body', 'POST', '/api/votes', 400, undefined, ''],
  ['a JSON array', 'POST', '/api/votes', 400, undefined, '[]'],
  ['a JSON null', 'POST', '/api/votes', 400, undefined, 'null'],
  ['a form', 'POST', '/api/votes', 415, 'unsupported_media_type', 'userId=1', 'application/x-www-form-urlencoded'],
  ['an unknown content type', 'POST', '/api/votes', 415, undefined, 'x', 'no type at all'],
  ['a body over the limit', 'POST', '/api/votes', 413, 'too_large', `{"more":"${'x'.repeat(100_000)}"}`],
  ['a prototype in the JSON', 'POST', '/api/votes', 400, undefined, '{"__proto__": {"isAdmin": true}}'],
  ['a constructor in the JSON', 'POST', '/api/votes', 400, undefined, '{"constructor":{"prototype":1}}'],
  ['a path that cannot be decoded', 'GET', '/api/projects/%E0%A4%A', 404, 'project_not_found'],
  ['a path that cannot be stored', 'GET', '/api/projects/%00', 400],
  ['a path that is too long', 'GET', `/api/projects/${'a'.repeat(300)}`, 404],
])(
  '%s gets a status, a code and a sentence, and nothing internal [R34]',
  async (_what, method, path, status, error, body, type = JSON_TYPE) => {
    const user = await newUser(server);
    const response = await user.send(method, path, body, body === undefined ? {} : { 'content-type': type });
    expect(response).toMatchObject({
      status,
      body: {
        error: expect.stringMatching(`^${error ?? '.+'}$`),
        message: expect.stringMatching(/^[A-Z][^\n]{5,160}[^:;,\n]$/),
      },
    });
    expect(JSON.stringify(response.body)).not.toMatch(/at .*\.ts|SyntaxError|FST_ERR/);
  },
);

test.each(['-1', '1e9', '99999999999999999999', "1' OR '1'='1", '1.5'])(
  'the invalid id %s is neither a user nor a project',
  async (id) => {
    const user = await newUser(server);
    expect(await user.get(`/api/users/${id}/stats`)).toMatchObject({ status: 403, body: { error: 'not_yours' } });
    expect((await user.get(`/api/projects/${id}`)).status).toBe(404);
  },
);

test('every response has the security headers, and shared caches store none of the API', async () => {
  for (const path of ['/api/config', '/api/nothing', '/healthz']) {
    const { headers } = await anyone().get(path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
  }
  expect((await anyone().get('/api/config')).headers.get('cache-control')).toBe('no-store');
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

test("each write uses as much of its address's limit as ten requests", async () => {
  const strict = await createTestApp({ config: { requestsPerSecond: 1 } });
  const responses = await Promise.all(Array.from({ length: 7 }, () => new Client(strict.url).post('/api/votes', {})));
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(6);
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.body).toMatchObject({ error: 'rate_limited', message: expect.any(String) });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('beyond its limit, a browser gets a page that retries on time, and a program gets data [R34]', async () => {
  const strict = await createTestApp({ config: { requestsPerSecond: 1 } });
  const refused = async (accept: string) => {
    const sent = Array.from({ length: 20 }, () => fetch(`${strict.url}/leaderboard`, { headers: { accept } }));
    const found = (await Promise.all(sent)).find(({ status }) => status === 429);
    return {
      type: found?.headers.get('content-type'),
      after: found?.headers.get('retry-after'),
      text: await found?.text(),
    };
  };
  const page = await refused('text/html,*/*;q=0.8');
  expect(page).toMatchObject({ type: 'text/html; charset=utf-8', after: expect.stringMatching(/^[1-9]\d*$/) });
  expect(page.text).toContain('<h1>One moment, please</h1>');
  expect(page.text).toMatch(/<meta http-equiv="refresh" content="\d+" \/>/);
  expect(JSON.parse((await refused('*/*')).text ?? '')).toMatchObject({ error: 'rate_limited' });
});

test('closing the server waits for open votes: each is counted or refused first', async () => {
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
