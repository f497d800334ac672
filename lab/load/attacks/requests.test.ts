import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { allEndpoints } from '#shared/contract/all.ts';
import { createLog, MOST_LINES } from '#server/kit/http/log.ts';
import { createTestApp } from '../../testing/app.ts';
import { insertProject, insertProjects } from '../../testing/builders.ts';
import { Client, newUser, type TestUser } from '../../testing/client.ts';
import { rawRequest } from '../../testing/raw.ts';

const logged: string[] = [];
const server = await createTestApp({
  log: createLog({ logLevel: 'warn', logsAddresses: false }, { write: (line) => void logged.push(line) }),
});
const { db, cache } = server.services;
const anyone = new Client(server.url);
beforeAll(() => vi.waitUntil(() => cache.isUsable()));
await insertProjects(db, 30);
const large = allEndpoints().filter(([, { bodyLimitBytes }]) => bodyLimitBytes !== undefined);
const pathOf = (path: string, id: number) => path.replace(/\{\w+\}/g, String(id));

const MEGABYTE = 1024 * 1024;
const jsonHead = (method: string, path: string, bytes: number, more: string[] = []): string[] => [
  `${method} ${path} HTTP/1.1`,
  'content-type: application/json',
  `content-length: ${bytes}`,
  ...more,
];
const cookieOf = (user: TestUser) => `cookie: ${user.cookie}`;

describe('large bodies', () => {
  test.each(large)('a large body without a session is refused before it is read: %s', async (_name, endpoint) => {
    // Announced, and never sent: a server that waited for it would not respond.
    const request = rawRequest(server.url, jsonHead(endpoint.method, pathOf(endpoint.path, 1), 10 * MEGABYTE), '{');
    expect(await request.statusLine).toMatch(/ 401 /);
    request.close();
  });

  test('no endpoint that takes megabytes is public', () => {
    expect(large.length).toBeGreaterThanOrEqual(4);
    expect(large.filter(([, { access }]) => access === 'public')).toEqual([]);
  });
});

test('compressed bodies are refused, with a session or without', async () => {
  const bomb = gzipSync(Buffer.from('['.repeat(15 * MEGABYTE)));
  const user = await newUser(server);
  for (const more of [[], [cookieOf(user)]]) {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const head = jsonHead('POST', '/api/payments', bomb.length, [`content-encoding: ${encoding}`, ...more]);
      const request = rawRequest(server.url, head, bomb);
      expect(await request.statusLine).toMatch(/ 415 /);
      request.close();
    }
  }
});

test('a body of megabytes is parsed only when it is a picture and a few fields', async () => {
  const user = await newUser(server);
  const response = await user.send('PATCH', `/api/users/${user.id}`, `{"avatarUrl":${'['.repeat(10 * MEGABYTE)}`);
  expect(response).toMatchObject({
    status: 400,
    body: { message: 'The request contains more than an image and a few fields' },
  });
});

test('uploads that never end share a bounded memory, and free it when they are closed', async () => {
  const user = await newUser(server);
  const head = jsonHead('PATCH', `/api/users/${user.id}`, 14 * MEGABYTE, [cookieOf(user)]);
  const part = Buffer.concat([Buffer.from('{"avatarUrl":"data:image/png;base64,'), Buffer.alloc(2 * MEGABYTE, 'A')]);
  const unfinished = Array.from({ length: 40 }, () => rawRequest(server.url, head, part));
  // One address has 15 MB: about seven of these fit, the others get a Retry-After immediately.
  await expect.poll(() => unfinished.filter((request) => request.hasResponse()).length).toBeGreaterThanOrEqual(32);
  const answered = unfinished.filter((request) => request.hasResponse());
  for (const request of answered) expect(await request.statusLine).toMatch(/ 503 /);
  expect(answered.length).toBeLessThan(40);
  const lines = logged.filter((line) => line.includes('uploads_busy'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(MOST_LINES.each);
  expect(lines.filter((line) => line.includes('stack') || line.includes('request failed'))).toEqual([]);
  expect((await new Client(server.url).get('/healthz')).status).toBe(200);
  for (const request of unfinished) request.close();
  // The whole room is free again.
  await expect
    .poll(
      async () => (await user.send('PATCH', `/api/users/${user.id}`, { avatarUrl: 'A'.repeat(9 * MEGABYTE) })).status,
    )
    .toBe(400);
});

describe('uploads that stall', () => {
  const sockets: Socket[] = [];
  server.app.server.on('connection', (socket) => void sockets.push(socket));
  const received = () => sockets.reduce((bytes, { bytesRead }) => bytes + bytesRead, 0);

  const upload = (user: TestUser, address: string, announced: number, sent: number) =>
    rawRequest(
      server.url,
      jsonHead('PATCH', `/api/users/${user.id}`, announced, [cookieOf(user), `x-forwarded-for: ${address}`]),
      Buffer.concat([Buffer.from('{"avatarUrl":"'), Buffer.alloc(sent, 'A')]),
    );

  test.each([
    ['two users with two bodies of 8 MB', 2, [8 * MEGABYTE, 8 * MEGABYTE]],
    ['eight users with a whole share', 8, [14.9 * MEGABYTE]],
  ])('%s that lack their last bytes keep out no other user', async (_what, users, bodies) => {
    const stalled: Array<ReturnType<typeof upload>> = [];
    const before = received();
    for (let at = 0; at < users; at += 1) {
      const user = await newUser(server);
      for (const bytes of bodies) stalled.push(upload(user, `203.0.113.${at}`, bytes, bytes - 64));
    }
    const hasResponse = () => stalled.some((request) => request.hasResponse());
    const sent = users * bodies.reduce((sum, bytes) => sum + bytes - 64, 0);
    await expect.poll(() => received() - before >= sent || hasResponse()).toBe(true);
    const honest = await newUser(server);
    const body = { avatarUrl: 'A'.repeat(MEGABYTE) };
    for (let round = 0; round < 20; round += 1) {
      const { status } = await honest.send('PATCH', `/api/users/${honest.id}`, body, { 'x-forwarded-for': '::1' });
      expect(status).toBe(400);
    }
    expect(hasResponse()).toBe(true);
    for (const request of stalled) request.close();
  });

  test("a body that keeps arriving too slowly gets 408 long before the request's time limit", async () => {
    const startedMs = performance.now();
    const slow = upload(await newUser(server), '203.0.113.9', MEGABYTE, MEGABYTE / 8);
    expect(await slow.statusLine).toMatch(/ 408 /);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    slow.close();
  });
});

test('an address may send sixteen large bodies at once, and another address is not affected', async () => {
  const user = await newUser(server);
  const from = (address: string) =>
    rawRequest(
      server.url,
      jsonHead('PATCH', `/api/users/${user.id}`, 10 * MEGABYTE, [cookieOf(user), `x-forwarded-for: ${address}`]),
      '{',
    );
  // A byte of each: the room is not full.
  const unfinished = Array.from({ length: 20 }, () => from('203.0.113.7'));
  await expect.poll(() => unfinished.filter((request) => request.hasResponse()).length).toBe(4);
  const other = from('203.0.113.8');
  const small = await user.send('PATCH', `/api/users/${user.id}`, {}, { 'x-forwarded-for': '203.0.113.7' });
  expect(small.status).toBeLessThan(500);
  expect(other.hasResponse()).toBe(false);
  expect(unfinished.filter((request) => request.hasResponse())).toHaveLength(4);
  for (const request of [...unfinished, other]) request.close();
});

describe('spellings of addresses', () => {
  test.each(['/%61pi/votes', '/api/%76otes', '/%61%70%69/auth/logout', '/api//votes', '/API/votes'])(
    'checks the origin of %s',
    async (path) => {
      const user = await newUser(server);
      const response = await user.send(
        'POST',
        path,
        {},
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      );
      expect(response).toMatchObject({ status: 403, body: { error: 'foreign_origin' } });
    },
  );
  test('checks the origin of a request with the whole address in its first line', async () => {
    const head = jsonHead('POST', 'http://evil.example/api/auth/logout', 2, ['origin: https://evil.example']);
    const request = rawRequest(server.url, head, '{}');
    expect(await request.statusLine).toMatch(/ 403 /);
    request.close();
  });
  test('sends no-store on an encoded path', async () => {
    const response = await fetch(`${server.url}/%61pi/payments`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([401, 'no-store']);
  });
});

const CACHE_BYTES = 48 * MEGABYTE;

/** Cache entries left by responses to a stranger's requests. */
async function entriesLeftBy(paths: string[]): Promise<number> {
  cache.invalidateAll();
  for (let at = 0; at < paths.length; at += 50) {
    const statuses = await Promise.all(paths.slice(at, at + 50).map(async (path) => (await anyone.get(path)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  const { entries } = cache.usage();
  expect(entries).toBeGreaterThan(0);
  return entries;
}

test('leaderboards of all lengths take a bounded part of the cache', async () => {
  const limits = Array.from({ length: 500 }, (_, at) => at + 1);
  const entries = await entriesLeftBy(limits.map((limit) => `/api/projects/leaderboard/all?limit=${limit}`));
  expect(entries).toBeLessThan(limits.length);
  expect(cache.usage().bytes).toBeLessThan(CACHE_BYTES / 3);
  const { body } = await anyone.get<unknown[]>('/api/projects/leaderboard/all?limit=7');
  expect(body).toHaveLength(7);
});

test('all spellings of a project share one entry of the cache', async () => {
  const id = await insertProject(db, { name: 'Many Spellings' });
  const { body } = await anyone.get<{ slug: string }>(`/api/projects/${id}`);
  const letters = body.slug.split('');
  const spellings = Array.from({ length: 300 }, (_, bits) =>
    letters.map((letter, at) => ((bits >> (at % 9)) & 1 ? letter.toUpperCase() : letter)).join(''),
  );
  const zeros = Array.from({ length: 10 }, (_, count) => '0'.repeat(count) + String(id));
  const paths = [...new Set([...spellings, ...zeros])].map((ref) => `/api/projects/${ref}/reviews`);
  expect(paths.length).toBeGreaterThan(100);
  expect(await entriesLeftBy(paths)).toBeLessThanOrEqual(3);
});
