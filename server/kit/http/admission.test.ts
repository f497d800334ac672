import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DELAYS_MS, READS } from './admission.ts';
import { rawRequest } from '#lab/testing/raw.ts';
import type { Pressure, PressureSource } from './pressure.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { makeFiles } from '#lab/testing/built-page.ts';

/** An event loop that is as late as the test says. */
function createLoop(): PressureSource & { report(pressure: Pressure, times?: number): void } {
  let emit: (pressure: Pressure) => void = () => undefined;
  return {
    watch(onReading) {
      emit = onReading;
      return () => undefined;
    },
    report(pressure, times = 20) {
      for (let at = 0; at < times; at += 1) emit(pressure);
    },
  };
}

const WAIT = { timeout: 10_000 };
const distDir = await makeFiles({
  'assets/app.js': 'export {};',
  'index.html': '<!doctype html><html><head><!--head--></head><body><div id="root"></div></body></html>',
});

const loop = createLoop();
const server = await createTestApp({ cache: true, pressure: loop, distDir });
const { admission } = server.app;
const quiet = () => loop.report({ delayMs: 0, utilization: 0.1 });
const busy = (delayMs: number) => loop.report({ delayMs, utilization: 1 });
const anyone = new Client(server.url);
const projectId = await insertProject(server.services.db);
/** Without a vote. */
const fresh = await insertProjects(server.services.db, 10);
/** A public list, cached once it was requested. */
const CACHED = '/api/projects/leaderboard/all';
let user: TestUser;

beforeAll(async () => {
  await vi.waitUntil(() => server.services.cache.isUsable());
  user = await newUser(server);
  // From here on its session is in memory, as that of every user whose page is open.
  await user.get(`/api/users/${user.id}/stats`);
  await anyone.get(CACHED);
});
afterEach(quiet);

const status = async (client: Client, address: string) => (await client.get(address)).status;
const vote = async () =>
  (await user.post('/api/votes', { userId: user.id, projectId: fresh.pop(), voteType: 'bullish' })).status;

describe('requests refused as the event loop falls behind', () => {
  test('admission refuses nothing while the event loop keeps up', async () => {
    busy(DELAYS_MS[0] - 1);
    for (const address of ['/', '/api/openapi.json', '/assets/app.js', '/sitemap.xml'])
      expect(await status(anyone, address)).toBe(200);
    expect(await status(user, '/api/payments')).toBe(200);
  });

  test('admission refuses anonymous pages and reads first, with Retry-After; open pages, sessions and votes are served', async () => {
    busy(DELAYS_MS[0] + 1);
    for (const address of [
      '/',
      '/projects/none',
      '/api/openapi.json',
      '/sitemap.xml',
      '/og/site.jpg',
      `/api/projects/${projectId}`,
    ])
      expect(await anyone.get(address)).toMatchObject({ status: 503 });
    const refused = await anyone.get('/api/openapi.json');
    expect(refused.body).toEqual({ error: 'busy', message: 'Snapswipe is busy. Please try again in a moment.' });
    expect(refused.headers.get('retry-after')).toMatch(/^[123]$/);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await status(anyone, '/assets/app.js')).toBe(200);
    for (const address of ['/', '/api/openapi.json', `/api/projects/${projectId}`, '/api/payments'])
      expect([address, await status(user, address)]).toEqual([address, 200]);
    expect(await vote()).toBe(200);
  });

  test('after anonymous reads, admission refuses reads of signed-in users; votes, payments and the admin are served', async () => {
    const panel = await signInAsAdmin(server);
    busy(DELAYS_MS[1] + 1);
    for (const address of ['/', '/api/openapi.json', '/assets/app.js']) expect(await status(user, address)).toBe(503);
    expect(await vote()).toBe(200);
    expect(await status(user, '/api/payments')).toBe(200);
    expect((await user.post('/api/payments', { purpose: 'renew', projectId })).status).toBe(403);
    expect((await panel.get('/api/admin/withdrawals')).status).toBe(200);
  });

  test('admission refuses everything in the end except votes, health checks and cached responses', async () => {
    // Resolves when the notification of every change up to this one has arrived, so that none drops the list from memory later.
    await insertProject(server.services.db);
    expect(await status(anyone, CACHED)).toBe(200);
    expect(await status(user, `/api/users/${user.id}/stats`)).toBe(200);
    busy(DELAYS_MS[2] + 1);
    expect(await status(user, '/api/payments')).toBe(503);
    expect(await status(user, '/assets/app.js')).toBe(503);
    expect(await status(anyone, '/healthz')).toBe(200);
    expect(await status(anyone, CACHED)).toBe(200);
    expect(await status(user, `/api/users/${user.id}/stats`)).toBe(200);
    expect(await vote()).toBe(200);
  });

  test('a user who opens a page gets a page that explains the overload', async () => {
    busy(DELAYS_MS[0] + 1);
    const response = await fetch(server.url, { headers: { accept: 'text/html' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await response.text()).toContain('<h1>Snapswipe is busy</h1>');
  });
});

test('/readyz says what is refused, and 503 when that is everything but votes', async () => {
  const ready = async () => {
    const { status: code, body } = await anyone.get('/readyz');
    return [code, body['refusing']];
  };
  expect(await ready()).toEqual([200, 'nothing']);
  busy(DELAYS_MS[0] + 1);
  expect(await ready()).toEqual([200, 'anonymous reads']);
  busy(DELAYS_MS[1] + 1);
  expect(await ready()).toEqual([200, 'reads']);
  busy(DELAYS_MS[2] + 1);
  expect(await ready()).toEqual([503, 'everything but votes']);
  expect(await status(anyone, '/healthz')).toBe(200);
});

test('made-up cookies are looked up for a few requests, and beyond those count as anonymous', async () => {
  busy(DELAYS_MS[0] + 1);
  const name = user.cookie.split('=')[0] ?? '';
  const strangers = Array.from({ length: 30 }, (_, at) =>
    Object.assign(new Client(server.url), { cookie: `${name}=made-up-${at}` }),
  );
  const codes = await Promise.all(strangers.map((client) => status(client, '/api/payments')));
  expect(codes.filter((code) => code === 401)).toHaveLength(10);
  expect(codes.filter((code) => code === 503)).toHaveLength(20);
  expect(await status(user, '/api/payments')).toBe(200);
});

test('reads that wait for the database are counted, refused beyond a number, and leave when they end', async () => {
  const { pool, cache } = server.services;
  await server.allNotified();
  // Cached values count for a moment after the last notification, and a slow machine takes longer.
  cache.setValidUntil(Number.POSITIVE_INFINITY);
  const ended = vi.spyOn(cache, 'setValidUntil').mockReturnValue();
  expect(await status(anyone, CACHED)).toBe(200);
  // Every connection of the pool is taken: whatever asks the database waits.
  const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  const waiting = Array.from({ length: READS[0] }, (_, at) =>
    rawRequest(server.url, [`GET /og/projects/x-${at}.jpg HTTP/1.1`]),
  );
  try {
    await vi.waitUntil(() => admission.inFlight().read === READS[0], WAIT);
    expect(await status(anyone, '/api/openapi.json')).toBe(503);
    expect(await status(user, '/api/openapi.json')).toBe(200);
    expect(await status(anyone, CACHED)).toBe(200);
    for (const request of waiting) request.close();
    await vi.waitUntil(() => admission.inFlight().read === 0, WAIT);
  } finally {
    for (const request of waiting) request.close();
    for (const client of clients) client.release();
    ended.mockRestore();
  }
  expect(await status(anyone, '/api/openapi.json')).toBe(200);
  expect(admission.inFlight()).toEqual({ read: 0, act: 0 });
});

test('a client that hangs up while its session is looked up does not stay counted', async () => {
  const { pool, cache } = server.services;
  const { headers } = await user.get(`/api/users/${user.id}/stats`);
  const lines = [`GET /api/users/${user.id}/stats HTTP/1.1`, `cookie: ${user.cookie}`];
  cache.invalidateAll();
  const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
  const request = rawRequest(server.url, [...lines, `if-none-match: ${headers.get('etag')}`]);
  try {
    await vi.waitUntil(() => admission.inFlight().read === 1, WAIT);
    request.close();
    await vi.waitUntil(() => admission.inFlight().read === 0, WAIT);
  } finally {
    request.close();
    for (const client of clients) client.release();
  }
  // The same read once more: by its response the first one has been answered, too, without a receiver.
  expect(await status(user, `/api/users/${user.id}/stats`)).toBe(200);
  expect(admission.inFlight()).toEqual({ read: 0, act: 0 });
});
