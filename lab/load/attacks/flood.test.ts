import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTestApp, type TestApp } from '../../testing/app.ts';
import { Client } from '../../testing/client.ts';
import { newWallet } from '../../testing/wallets.ts';

const PATH = '/api/projects?limit=1';
const bounds = { requestsPerSecond: 20 };
const BURST = 60;

/** A connection from a separate loopback address. */
async function open(server: TestApp, localAddress: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: snapswipe.test\r\n\r\n`;

/** Sends requests ahead; returns the statuses until the connection ended or was silent. */
async function pipeline(socket: Socket, requests: string): Promise<{ statuses: string[]; isClosed: boolean }> {
  let [received, isClosed] = ['', socket.destroyed];
  socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
  socket.once('close', () => (isClosed = true));
  socket.write(requests);
  let before = '';
  await expect
    .poll(
      () => {
        const isSilent = received !== '' && received === before;
        before = received;
        return isClosed || isSilent;
      },
      { interval: 300 },
    )
    .toBe(true);
  return { statuses: [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status), isClosed };
}

async function ask(socket: Socket, path = PATH): Promise<string> {
  const { statuses, isClosed } = await pipeline(socket, get(path));
  return statuses[0] ?? (isClosed ? 'closed' : 'silent');
}

describe('without a proxy a client is bounded by its own address', () => {
  test('a client beyond the limit loses its connection, with all requests pipelined on it', async () => {
    const server = await createTestApp({ env: { TRUST_PROXY: 'false' }, config: bounds });
    const flood = await open(server, '127.0.0.2');
    const { statuses, isClosed } = await pipeline(flood, get(PATH).repeat(5_000));
    expect(isClosed).toBe(true);
    expect(statuses.length).toBeLessThanOrEqual(BURST);
    const neighbor = await open(server, '127.0.0.3');
    expect(await ask(neighbor)).toBe('200');
    // Health checks are not counted.
    expect(await ask(await open(server, '127.0.0.2'), '/healthz')).toBe('200');
    await expect.poll(async () => ask(await open(server, '127.0.0.2'))).toBe('200');
  });

  test('a client that is not one of the configured proxies is bounded, too', async () => {
    const server = await createTestApp({ env: { TRUST_PROXY: '127.0.0.9, 10.0.0.0/8' }, config: bounds });
    const closes = async (address: string) =>
      (await pipeline(await open(server, address), get(PATH).repeat(2 * BURST))).isClosed;
    expect([await closes('127.0.0.2'), await closes('127.0.0.9')]).toEqual([true, false]);
  });
});

test("a client behind a proxy gets 429 with Retry-After, and the proxy's connections stay open", async () => {
  // Only one a second, so that a busy machine still sends faster than places become free.
  const server = await createTestApp({ config: { ...bounds, requestsPerSecond: 1 } });
  const burst = 3;
  const client = new Client(server.url);
  const from = (address: string) => client.get(PATH, { 'x-forwarded-for': address });
  const responses = await Promise.all(Array.from({ length: burst + 60 }, () => from('203.0.113.1')));
  const refused = responses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.body).toMatchObject({ error: 'rate_limited' });
  expect(refused[0]?.headers.get('retry-after')).toBe('1');
  expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(burst);
  expect((await from('203.0.113.2')).status).toBe(200);

  const proxy = await open(server, '127.0.0.2');
  const sent = get(PATH)
    .replace('\r\n\r\n', '\r\nx-forwarded-for: 203.0.113.3\r\n\r\n')
    .repeat(20 * burst);
  const { statuses, isClosed } = await pipeline(proxy, sent);
  expect(isClosed).toBe(false);
  expect(statuses).toHaveLength(20 * burst);
  expect(new Set(statuses)).toEqual(new Set(['200', '429']));
});

async function begin(url: string, count: number, forwardedFor: (at: number) => string): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let at = 0; at < count; at += 1) {
    const body = { walletAddress: newWallet().toSuiAddress() };
    const { status } = await new Client(url).post('/api/auth/wallet', body, { 'x-forwarded-for': forwardedFor(at) });
    statuses.add(status);
  }
  return statuses;
}

describe.each([
  ['one proxy', '1', ''],
  ['a list of proxies', '127.0.0.1, 198.51.100.0/24', ', 198.51.100.9'],
  ['two proxies', '2', ', 198.51.100.9'],
])('counts clients by address behind %s', (_what, trustProxy, inner) => {
  test('a forged X-Forwarded-For does not give a client a new address', async () => {
    const server = await createTestApp({ env: { TRUST_PROXY: trustProxy }, config: { readMsPerMinute: 1 } });
    const forged = await begin(server.url, 12, (at) => `10.0.${at}.2, 203.0.113.7${inner}`);
    expect(forged).toEqual(new Set([401, 429]));
    // Another client is not affected, though it claims to be the same.
    expect(await begin(server.url, 3, () => `203.0.113.7, 203.0.113.8${inner}`)).toEqual(new Set([401]));
  });
});

test('X-Forwarded-For is ignored without a proxy', async () => {
  const server = await createTestApp({ env: { TRUST_PROXY: '' }, config: { readMsPerMinute: 1 } });
  expect(await begin(server.url, 12, (at) => `10.0.${at}.2`)).toEqual(new Set([401, 429]));
});
