import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { brotliDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Session } from '#shared/contract/auth.ts';
import { rawRequest } from '#lab/testing/raw.ts';
import { askExposure } from '#ops/doctor/exposure.ts';
import { askProxy, askSite, askUploads } from '#ops/doctor/site.ts';
import { createTestDatabase, startServer, type TestApp, type TestDatabase } from '#lab/testing/app.ts';
import { insertProject, insertShownImage } from '#lab/testing/builders.ts';
import { makePage, SCRIPT } from '#lab/testing/built-page.ts';
import { signInWith } from '#lab/testing/client.ts';
import { ADMIN_PASSWORD } from '#lab/settings.ts';
import { newDraft, pictureUrl } from '#lab/testing/drafts.ts';
import {
  directDoor,
  type Door,
  type Exchange,
  exchange,
  exchangeHttp2,
  ProxiedClient,
  proxyDoor,
} from '#lab/testing/proxied-client.ts';
import { hasProxy, type Proxy, type ProxyName, SITE_HOST, startProxy } from '#lab/testing/proxies.ts';
import { ADMIN_KEYPAIR, newWallet } from '#lab/testing/wallets.ts';

const MEGABYTE = 1024 * 1024;
/** For one connection, or the proxy's own. */
const OF_A_HOP = new Set(['connection', 'keep-alive', 'date', 'server', 'alt-svc', 'transfer-encoding', 'via']);
const FORMS = ['', 'gzip', 'br, gzip'];

const asPassedOn = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_A_HOP.has(name)));

const load = (door: Door, url: string, form: string, more: Record<string, string> = {}) =>
  exchange(door, url, { headers: { ...(form ? { 'accept-encoding': form } : {}), ...more } });

/** Loads from the server and through the proxy. Returns the proxy's response, which must be the same, to the byte. */
async function expectSame(url: string, form: string, direct: Door, through: Door): Promise<Exchange> {
  const [sent, came] = [await load(direct, url, form), await load(through, url, form)];
  const told = ({ status, headers }: Exchange) => ({ url, form, status, ...asPassedOn(headers) });
  expect(told(came)).toEqual(told(sent));
  expect(came.body.equals(sent.body)).toBe(true);
  return came;
}

/** Sends bytes to the proxy over TLS; everything that came back when it was silent, or had closed the connection. */
async function sendRaw({ httpsPort, ca }: Proxy, bytes: string, localAddress: string): Promise<string> {
  const way = net.connect({ host: '127.0.0.1', port: httpsPort, localAddress });
  const socket = tls.connect({ socket: way, ca, servername: SITE_HOST });
  let [received, before, isClosed] = ['', '', false];
  socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.once('close', () => (isClosed = true));
  await once(socket, 'secureConnect');
  socket.write(bytes);
  const isDone = (): boolean => {
    const wasSilent = received !== '' && received === before;
    before = received;
    return isClosed || wasSilent;
  };
  await expect.poll(isDone, { interval: 300 }).toBe(true);
  socket.destroy();
  return received;
}

describe.skipIf(!hasProxy('nginx'))('responses of nginx itself', () => {
  let server: TestApp;
  let proxy: Proxy;
  let database: TestDatabase;
  const start = (port = 0): Promise<TestApp> =>
    startServer(database.url, { env: { PUBLIC_ORIGIN: `https://${SITE_HOST}`, TRUST_PROXY: '1' }, port });
  beforeAll(async () => {
    database = await createTestDatabase();
    server = await start();
    proxy = await startProxy('nginx', directDoor(server.url).port);
  });
  afterAll(async () => {
    await proxy?.end();
    await server?.close();
    await database?.drop();
  });

  test('nginx sends 429 to a client with more than 300 requests a second, and serves another one', async () => {
    // In the cache of nginx, which sends it as quickly on a busy machine.
    const create = { width: 40, height: 40, channels: 3, background: { r: 9, g: 90, b: 160 } } as const;
    const hash = await insertShownImage(server.services.db, await sharp({ create }).png().toBuffer());
    const request = `GET /images/${hash}.webp HTTP/1.1\r\nhost: ${SITE_HOST}\r\n\r\n`;
    expect((await sendRaw(proxy, request, '127.0.0.5')).slice(9, 12)).toBe('200');
    // A connection ends after a thousand of them.
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => sendRaw(proxy, request.repeat(900), '127.0.0.3')),
    );
    const statuses = new Set([...responses.join('').matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status));
    expect(statuses).toEqual(new Set(['200', '429']));
    expect((await sendRaw(proxy, request, '127.0.0.4')).slice(9, 12)).toBe('200');
  });

  test('nginx sends the same security headers as the server', async () => {
    const headersOf = (response: string): Record<string, string> =>
      Object.fromEntries(
        (response.split('\r\n\r\n')[0] ?? '')
          .split('\r\n')
          .slice(1)
          .map((line) => {
            const [name = '', ...value] = line.split(': ');
            return [name.toLowerCase(), value.join(': ')];
          }),
      );
    const own = {
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    };
    const host = `host: ${SITE_HOST}`;
    for (const [request, status] of [
      [`GET /metrics HTTP/1.1\r\n${host}\r\n\r\n`, '404'],
      ['GET / HTTP/1.1\r\n\r\n', '400'],
      [`POST /api/votes HTTP/1.1\r\n${host}\r\ncontent-length: 20000000\r\n\r\n`, '413'],
    ] as const) {
      const response = await sendRaw(proxy, request, '127.0.0.2');
      expect([request, response.slice(9, 12)]).toEqual([request, status]);
      expect(headersOf(response)).toMatchObject(own);
    }
    const { port } = directDoor(server.url);
    await server.close();
    const away = [];
    for (const path of ['/leaderboard', '/api/projects']) away.push(await exchange(proxyDoor(proxy), path));
    server = await start(port);
    expect(away).toMatchObject(away.map(() => ({ status: 503, headers: own })));
  });

  test('nginx drops a picture and a share card that the server no longer has when their time is over [R25]', async () => {
    let isBlanked = false;
    // Like the server, but with a time of a second.
    const site = createServer((_request, response) => {
      if (isBlanked) return response.writeHead(404, { 'cache-control': 'no-store' }).end();
      return response.writeHead(200, { 'cache-control': 'public, max-age=1', etag: '"a"' }).end('picture');
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const { port } = site.address() as net.AddressInfo;
    const cache = await startProxy('nginx', port);
    onTestFinished(async () => {
      await cache.end();
      site.closeAllConnections();
      site.close();
    });
    const paths = ['/images/a.webp', '/og/projects/a.jpg'];
    const statusOf = async (path: string) => (await exchange(proxyDoor(cache), path)).status;
    for (const path of paths) expect(await statusOf(path)).toBe(200);
    isBlanked = true;
    for (const path of paths) await expect.poll(() => statusOf(path)).toBe(404);
  });
});

// The samples of ops/deploy/ themselves. Left out where Debian's package is not installed; `npm run test:all` installs it where it can.
describe.each<ProxyName>(['nginx', 'Caddy'])('behind %s, as documented', (name) => {
  describe.skipIf(!hasProxy(name))('works behind the proxy with TRUST_PROXY=1', () => {
    let database: TestDatabase;
    let distDir: string;
    let server: TestApp;
    let proxy: Proxy;

    const start = (port = 0): Promise<TestApp> => {
      const env = { PUBLIC_ORIGIN: `https://${SITE_HOST}`, TRUST_PROXY: '1' };
      return startServer(database.url, { env, config: { readMsPerMinute: 3_000 }, distDir, port });
    };
    beforeAll(async () => {
      [database, distDir] = await Promise.all([createTestDatabase(), makePage()]);
      server = await start();
      proxy = await startProxy(name, directDoor(server.url).port);
    });
    afterAll(async () => {
      await proxy?.end();
      await server?.close();
      await database?.drop();
      if (distDir) await rm(distDir, { recursive: true });
    });

    async function signedIn(from?: string): Promise<ProxiedClient> {
      const client = new ProxiedClient(proxy, from);
      expect((await signInWith(client, newWallet())).status).toBe(200);
      return client;
    }

    test('the proxy redirects plain http to https, with path and query', async () => {
      const { status, headers } = await exchange({ port: proxy.httpPort }, '/top?period=week');
      expect(status).toBe(308);
      // Caddy names its port, which is not 443 here.
      expect(headers.location?.replace(`:${proxy.httpsPort}`, '')).toBe(`https://${SITE_HOST}/top?period=week`);
    });

    test('a signature signs in through the proxy, and the cookie is bound to the host and to https [R1]', async () => {
      const client = new ProxiedClient(proxy);
      const response = await signInWith(client, newWallet());
      expect(response.status).toBe(200);
      const [cookie = '', ...more] = response.headers.getSetCookie();
      expect(more).toEqual([]);
      expect(cookie).toMatch(/^__Host-snapswipe_session=[\w-]{43}; /);
      expect(cookie.split('; ')).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']));
      const projectId = await insertProject(server.services.db);
      const { user } = response.body as unknown as Session;
      const vote = { userId: user.id, projectId, voteType: 'bullish' };
      const own = { origin: `https://${SITE_HOST}`, 'sec-fetch-site': 'same-origin' };
      expect((await client.post('/api/votes', vote, own)).status).toBe(200);
      const foreign = await client.post('/api/votes', vote, { origin: 'https://evil.example' });
      expect(foreign).toMatchObject({ status: 403, body: { error: 'foreign_origin' } });
    });

    test('a forged X-Forwarded-For gives no new allowance, and another client has a separate one', async () => {
      const begin = async (from: string, forged: string): Promise<number> => {
        const body = { walletAddress: newWallet().toSuiAddress() };
        const headers = { 'x-forwarded-for': forged, forwarded: `for=${forged}`, 'x-real-ip': forged };
        return (await new ProxiedClient(proxy, from).post('/api/auth/wallet', body, headers)).status;
      };
      const statuses = new Set<number>();
      for (let at = 1; at <= 40; at += 1) statuses.add(await begin('127.0.0.3', `203.0.113.${at}`));
      expect(statuses).toEqual(new Set([401, 429]));
      expect(await begin('127.0.0.4', '127.0.0.3')).toBe(401);
    });

    test('the audit log has the address that the proxy saw', async () => {
      const admin = new ProxiedClient(proxy, '127.0.0.5');
      expect((await signInWith(admin, ADMIN_KEYPAIR)).status).toBe(200);
      const login = { walletAddress: ADMIN_KEYPAIR.toSuiAddress(), password: ADMIN_PASSWORD };
      const response = await admin.post('/api/admin/login', login, { 'x-forwarded-for': '203.0.113.9' });
      expect(response.status).toBe(200);
      const lines = await server.services.db.selectFrom('auditLog').select(['action', 'ip', 'outcome']).execute();
      expect(lines).toEqual([{ action: 'login', ip: '127.0.0.5', outcome: 'ok' }]);
    });

    test('the proxy sends the host, https and the one address, on persistent connections', async () => {
      const received: IncomingHttpHeaders[] = [];
      const sockets = new Set<unknown>();
      const listen = ({ headers, socket }: IncomingMessage) => {
        received.push(headers);
        sockets.add(socket);
      };
      server.app.server.on('request', listen);
      for (let at = 0; at < 10; at += 1) {
        const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' };
        expect((await exchange(proxyDoor(proxy), '/healthz', { headers })).status).toBe(200);
      }
      server.app.server.off('request', listen);
      expect(received).toHaveLength(10);
      for (const headers of received) {
        const told = { host: SITE_HOST, 'x-forwarded-for': '127.0.0.2', 'x-forwarded-proto': 'https' };
        expect(headers).toMatchObject(told);
      }
      expect(sockets.size).toBeLessThanOrEqual(2);
    });

    test('the proxy passes bodies, security headers, caching and compression unchanged', async () => {
      const { db } = server.services;
      await insertProject(db);
      const create = { width: 400, height: 400, channels: 3, background: { r: 9, g: 90, b: 160 } } as const;
      const hash = await insertShownImage(db, await sharp({ create }).png().toBuffer());
      const paths = ['/', '/assets/page-1.js', `/images/${hash}-192.webp`, '/og/site.jpg', '/api/projects'];
      paths.push('/api/supply', '/robots.txt', '/healthz', '/readyz', '/api/nothing', '/assets/nothing.js');
      let unchanged = 0;
      for (const url of paths) {
        for (const form of FORMS) {
          const came = await expectSame(url, form, directDoor(server.url), proxyDoor(proxy));
          if (came.headers.etag === undefined) continue;
          const again = await load(proxyDoor(proxy), url, form, { 'if-none-match': came.headers.etag });
          expect([url, form, again.status, again.body.length]).toEqual([url, form, 304, 0]);
          unchanged += 1;
        }
      }
      expect(unchanged).toBeGreaterThanOrEqual(3 * FORMS.length);
      const page = await load(proxyDoor(proxy), '/', 'br');
      expect(page.headers['strict-transport-security']).toContain('max-age=31536000');
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'; upgrade-insecure-requests");
      expect(page.headers['cache-control']).toBe('no-cache');
      const script = await load(proxyDoor(proxy), '/assets/page-1.js', 'br');
      expect(script.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' });
      expect(script.headers['content-encoding']).toBe('br');
      expect(brotliDecompressSync(script.body).toString()).toBe(SCRIPT);
    });

    test('a picture of almost ten megabytes reaches the server, which stores it [R25]', async () => {
      const client = await signedIn();
      const picture = Buffer.from((await pictureUrl()).split(',')[1] ?? '', 'base64');
      // Bytes behind the end of a picture are not looked at; they come along, which is what counts here.
      const bytes = Buffer.concat([picture, randomBytes(9.2 * MEGABYTE)]);
      const draft = await newDraft({ imageUrl: `data:image/png;base64,${bytes.toString('base64')}` });
      expect(draft.imageUrl?.length).toBeGreaterThan(12 * MEGABYTE);
      const response = await client.post('/api/payments', { purpose: 'submit', draft });
      expect(response).toMatchObject({ status: 201, body: { paymentId: expect.any(String) } });
    });

    test('responses of the server before a body has arrived pass the proxy: 401, 413, 503 with Retry-After', async () => {
      const client = await signedIn('127.0.0.6');
      const json = { 'content-type': 'application/json' };
      const send = (megabytes: number, headers: Record<string, string> = {}) =>
        exchangeHttp2(client.door, '/api/payments', {
          method: 'POST',
          headers: { ...json, ...headers },
          body: `{"draft":"${'A'.repeat(megabytes * MEGABYTE)}"}`,
        });
      const said = ({ status, headers, body }: Exchange) => [status, headers['retry-after'], body.toString()];
      const containing = (code: string): unknown => expect.stringContaining(`"error":"${code}"`);
      const strangers = await Promise.all([12, 12, 12, 12].map((megabytes) => send(megabytes)));
      for (const one of strangers) expect(said(one)).toEqual([401, undefined, containing('not_signed_in')]);
      const cookie = { cookie: client.cookie };
      // The server's own limit, and the proxy's.
      const tooLong = await send(15.1, cookie);
      expect(said(tooLong)).toEqual([413, undefined, containing('too_large')]);
      expect((await send(17, cookie)).status).toBe(413);

      // Uploads of the same address that never end take the server's room for them.
      const head = [
        'POST /api/payments HTTP/1.1',
        'content-type: application/json',
        `content-length: ${14 * MEGABYTE}`,
      ];
      head.push(`cookie: ${client.cookie}`, 'x-forwarded-for: 127.0.0.6');
      const part = `{"draft":"${'A'.repeat(3 * MEGABYTE)}`;
      const unfinished = Array.from({ length: 8 }, () => rawRequest(server.url, head, part));
      await vi.waitFor(() => expect(unfinished.some((request) => request.hasResponse())).toBe(true), 10_000);
      const busy = await send(12, cookie);
      for (const request of unfinished) request.close();
      expect(said(busy)).toEqual([503, '5', containing('uploads_busy')]);
    });

    test('the proxy hides figures for operators, whatever the server would respond', async () => {
      let asked = 0;
      const count = ({ url = '' }: IncomingMessage) => (asked += url.startsWith('/metrics') ? 1 : 0);
      server.app.server.on('request', count);
      for (const url of ['/metrics', '/metrics/', '/metrics?x=1', '//metrics', '/%6detrics']) {
        const { status } = await exchange(proxyDoor(proxy), url);
        expect([url, status]).toEqual([url, 404]);
      }
      server.app.server.off('request', count);
      expect(asked).toBe(0);
    });

    test('badges reach the server through the proxy, and their views are counted [R50]', async () => {
      const { db } = server.services;
      const id = await insertProject(db);
      const { slug } = await db.selectFrom('projects').select('slug').where('id', '=', id).executeTakeFirstOrThrow();
      const chrome = {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
      };
      for (const from of ['127.0.0.8', '127.0.0.9'])
        expect((await exchange({ ...proxyDoor(proxy), from }, `/badge/${slug}.svg`, { headers: chrome })).status).toBe(
          200,
        );
      await server.services.events.flush();
      const rows = await db
        .selectFrom('projectEventsDays')
        .select(['source', 'count'])
        .where('projectId', '=', id)
        .execute();
      expect(rows).toEqual([{ source: 'badge', count: 2 }]);
    });

    test('the doctor finds no problem with the proxy', async () => {
      const door = { origin: `https://${SITE_HOST}`, host: '127.0.0.1', port: proxy.httpsPort, ca: proxy.ca };
      const { config } = server.services;
      const site = { config, door };
      expect(await askSite(site)).toContain('answers');
      expect(await askProxy(site)).toContain('no forged one');
      expect(await askUploads(site)).toBe('14 MB get through');
      expect(await askExposure({ ...site, outside: [] })).toBe('on this machine alone');
    });

    test('the proxy reports a restart of the server; then everything continues', async () => {
      const client = await signedIn('127.0.0.7');
      const { port } = directDoor(server.url);
      const asset = await load(proxyDoor(proxy), '/assets/page-1.js', 'br');
      const card = await load(proxyDoor(proxy), '/og/site.jpg', '');
      await server.close();
      const call = await client.get('/api/payments');
      expect(call).toMatchObject({
        status: 503,
        body: { error: 'restarting', message: expect.stringContaining('again') },
      });
      const page = await exchange(proxyDoor(proxy), '/leaderboard');
      expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } });
      expect(page.headers['content-type']).toMatch(/^text\/html/);
      expect(page.body.toString()).toContain('back in a moment');
      // nginx has kept what does not change; Caddy keeps nothing, and browsers have it anyway.
      const again = [
        await load(proxyDoor(proxy), '/assets/page-1.js', 'br'),
        await load(proxyDoor(proxy), '/og/site.jpg', ''),
      ];
      const told = (all: Exchange[]) => all.map(({ status, body }) => [status, body.length]);
      const away = [503, page.body.length];
      expect(told(again)).toEqual(name === 'nginx' ? told([asset, card]) : [away, away]);
      server = await start(port);
      expect(await client.get('/api/payments')).toMatchObject({ status: 200 });
      expect((await client.get('/readyz')).status).toBe(200);
      const wallet = `0x${'ab'.repeat(32)}`;
      expect((await client.get(`/api/projects/wallet/${wallet}`)).status).toBe(403);
      // nginx logs each request, Caddy none; neither logs of whom (R67).
      const log = await proxy.logged();
      expect(log.includes('GET /api/payments')).toBe(name === 'nginx');
      expect(log.includes('GET /api/projects/wallet/0x...')).toBe(name === 'nginx');
      expect(log).not.toContain('127.0.0.7');
      expect(log).not.toContain(wallet);
    });
  });
});
