import { describe, expect, test, vi } from 'vitest';
import { ADMIN_TOKEN_HEADER } from '#shared/constants.ts';
import { createLog, MOST_LINES } from './log.ts';
import { createSampling } from './request-log.ts';
import { rawRequest } from '#lab/testing/raw.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { newUser } from '#lab/testing/client.ts';
import { ADMIN_PASSWORD } from '#lab/settings.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';

const SECRET = 'query-value-that-nobody-may-see';
let written = '';
const settings = { logLevel: 'info', logsAddresses: false } as const;
const log = createLog(settings, { write: (line) => void (written += line) });
const server = await createTestApp({ env: { LOG_LEVEL: 'info' }, log });

test('lines of requests hold method and path, and no cookie, token, signature, password or query value', async () => {
  const panel = await signInAsAdmin(server);
  const user = await newUser(server);
  const signature = Buffer.from(`${SECRET}-signature`).toString('base64');
  await user.post('/api/auth/wallet', { walletAddress: user.address, nonce: SECRET, signature });
  await panel.get(`/api/admin/withdrawals?search=${SECRET}`);
  for (const address of [
    `/api/projects?token=${SECRET}`,
    `/api/nothing?token=${SECRET}`,
    `/nothing?${SECRET}`,
    `/api/projects/%E0%A4%A?token=${SECRET}`,
    `/api/projects/${'a'.repeat(300)}?token=${SECRET}`,
    `/api/projects/leaderboard/all?limit=${SECRET}`,
  ])
    await user.get(address, { authorization: `Bearer ${SECRET}`, referer: `http://snapswipe.test/?${SECRET}` });
  await user.post('/api/votes', `{"userId": "${SECRET}`);
  const absolute = rawRequest(server.url, [`GET http://snapswipe.test/api/config?token=${SECRET} HTTP/1.1`], '');
  expect(await absolute.statusLine).toContain(' 200 ');
  absolute.close();

  const lines = written
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { req?: Record<string, unknown> });
  const requests = lines.flatMap(({ req }) => (req ? [req] : []));
  for (const path of ['/api/admin/withdrawals', '/api/nothing', '/api/config'])
    expect(requests).toContainEqual({ method: 'GET', path });
  const secrets = [
    SECRET,
    signature,
    ADMIN_PASSWORD,
    panel.token,
    ...[user, panel.admin].map(({ cookie }) => cookie.split('=')[1] ?? ''),
  ];
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10);
    expect(written).not.toContain(secret);
  }
  expect(written).not.toContain(ADMIN_TOKEN_HEADER);
});

describe('addresses of people [R67]', () => {
  const requestsOf = async (logsAddresses: boolean): Promise<unknown[]> => {
    const lines: string[] = [];
    const own = createLog({ logLevel: 'info', logsAddresses }, { write: (line) => void lines.push(line) });
    const { url, close } = await startServer(server.databaseUrl, { log: own });
    const wallet = `0x${'ab'.repeat(32)}`;
    await fetch(`${url}/api/projects/wallet/${wallet}`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    await close();
    const found = lines.map((line) => JSON.parse(line) as { req?: unknown }).flatMap(({ req }) => (req ? [req] : []));
    expect(lines.join('').includes('203.0.113.7') || lines.join('').includes(wallet)).toBe(logsAddresses);
    return found;
  };

  test('the log holds neither the address of a request nor the wallet in its path', async () => {
    expect(await requestsOf(false)).toEqual([{ method: 'GET', path: '/api/projects/wallet/0x…' }]);
  });

  test('addresses are in the log where LOG_ADDRESSES asks for them', async () => {
    const path = `/api/projects/wallet/0x${'ab'.repeat(32)}`;
    expect(await requestsOf(true)).toEqual([{ method: 'GET', path, remoteAddress: '203.0.113.7' }]);
  });
});

describe('requests at a high rate are sampled', () => {
  /** Number of lines for so many requests of a minute, and number of requests that they count. */
  function sampled(status: number, requests: number): { lines: number; requests: number } {
    const weightOfNext = createSampling(() => 0);
    const weights = Array.from({ length: requests }, () => weightOfNext(status)).filter((weight) => weight > 0);
    return { lines: weights.length, requests: weights.reduce((sum, weight) => sum + weight, 0) };
  }

  test.each([
    [200, 6_000, 6_000],
    [200, 66_000, 12_000],
    [304, 666_000, 18_000],
    [404, 1_500, 1_500],
    [404, 16_500, 3_000],
    [500, 16_500, 3_000],
  ])('status %i, %i requests in a minute: %i lines stand for all of them', (status, requests, lines) => {
    expect(sampled(status, requests)).toEqual({ lines, requests });
  });

  test('errors and rejections are not crowded out by the others, and each minute begins again at zero', () => {
    let nowMs = 0;
    const weightOfNext = createSampling(() => nowMs);
    for (let at = 0; at < 6_001; at += 1) weightOfNext(200);
    expect([200, 404, 503].map(weightOfNext)).toEqual([0, 1, 1]);
    nowMs = 59_999;
    expect(weightOfNext(200)).toBe(0);
    nowMs = 60_000;
    expect(weightOfNext(200)).toBe(1);
  });

  test('a request has one line, with its status and time, and none of a health check', async () => {
    written = '';
    await fetch(`${server.url}/api/config`);
    await fetch(`${server.url}/healthz`);
    await expect.poll(() => written).toContain('request completed');
    await fetch(`${server.url}/api/nothing`);
    await expect.poll(() => written.match(/request completed/g)?.length).toBe(2);
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([
      { req: { path: '/api/config' }, res: { statusCode: 200 }, responseTime: expect.any(Number) },
      { req: { path: '/api/nothing' }, res: { statusCode: 404 } },
    ]);
    expect(lines[0]).not.toHaveProperty('standsFor');
  });
});

describe('lines that clients can cause are limited to so many in a minute, and the rest are counted', () => {
  interface Line {
    msg: string;
    kind?: string;
    lines?: number;
  }
  function captured(): { log: ReturnType<typeof createLog>; lines: Line[] } {
    const lines: Line[] = [];
    return { log: createLog(settings, { write: (line) => void lines.push(JSON.parse(line) as Line) }), lines };
  }

  test('the log limits errors and warnings by message and code, and reports their number after the minute', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const { log, lines } = captured();
      const away = Object.assign(new Error('away'), { code: '57P01' });
      for (let at = 0; at < 1_000; at += 1) log.child({ reqId: at }).error({ err: away }, 'request failed');
      expect(lines).toHaveLength(MOST_LINES.each);
      // Another error is not lost among them.
      log.error({ err: new TypeError('ours') }, 'request failed');
      expect(lines.at(-1)).toMatchObject({ msg: 'request failed', err: { type: 'TypeError' } });
      lines.length = 0;
      vi.advanceTimersByTime(60_000);
      const left = { msg: 'lines were left out', kind: 'request failed 57P01', lines: 1_000 - MOST_LINES.each };
      expect(lines).toEqual([expect.objectContaining(left)]);
      log.error({ err: away }, 'request failed');
      expect(lines).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('the log limits all lines of requests together', () => {
    const { log, lines } = captured();
    for (let at = 0; at < MOST_LINES.requests + 500; at += 1) log.info({ at }, `Route GET:/${at} not found`);
    expect(lines).toHaveLength(MOST_LINES.requests);
  });
});
