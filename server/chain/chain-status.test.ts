import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#ops/process/free-port.ts';
import { createChainStatus } from './chain-status.ts';
import { openSui } from './sui-client.ts';
import { startServer, createTestApp } from '#lab/testing/app.ts';
import { startChainProxy } from '#lab/testing/chain-proxy.ts';
import { Client } from '#lab/testing/client.ts';

const open = (rpcUrl: string) => openSui({ network: 'localnet', rpcUrl });

afterEach(() => void vi.useRealTimers());

test('a node that responds is up, and says how far behind it is; it is asked once in ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { sui, calls } = open(inject('rpcUrl'));
  const status = createChainStatus(sui, { patienceMs: 20_000 });
  const asked = () => calls.get('GetServiceInfo')?.outcomes.get('OK');
  expect((await Promise.all([status.read(), status.read()])).map(({ state }) => state)).toEqual(['up', 'up']);
  expect(Math.abs((await status.read()).behindMs ?? Number.NaN)).toBeLessThan(60_000);
  vi.advanceTimersByTime(9_999);
  await status.read();
  expect(asked()).toBe(1);
  vi.advanceTimersByTime(1);
  await status.read();
  expect(asked()).toBe(2);
});

test('a node that cannot be reached counts as down', async () => {
  const { sui, calls } = open(`http://127.0.0.1:${await freePort()}`);
  const status = createChainStatus(sui, { patienceMs: 20_000 });
  expect(await status.read()).toEqual({ state: 'down', behindMs: null });
  expect(calls.get('GetServiceInfo')?.outcomes.size).toBe(1);
});

test('a node that hangs is unknown at first and down later, and delays callers for a bounded time', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { sui } = open(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const status = createChainStatus(sui, { freshMs: 0, patienceMs: 1, timeoutMs: 200 });
  expect((await status.read()).state).toBe('unknown');
  await expect.poll(async () => (await status.read()).state).toBe('down');
});

test('/readyz reports chain and database apart, and a server without the chain is ready', async () => {
  const server = await createTestApp();
  const ready = async (url: string) => new Client(url).get('/readyz');
  expect(await ready(server.url)).toMatchObject({
    status: 200,
    body: { ok: true, database: 'up', chain: 'up', refusing: 'nothing' },
  });
  const proxy = await startChainProxy(inject('rpcUrl'));
  const alone = await startServer(server.databaseUrl, { env: { SUI_RPC_URL: proxy.url } });
  onTestFinished(() => alone.close());
  proxy.close();
  await expect
    .poll(() => ready(alone.url))
    .toMatchObject({ status: 200, body: { ok: true, database: 'up', chain: 'down' } });
});
