import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { inheritedEnv } from '#ops/process/inherited-env.ts';
import { ROOT } from '#ops/process/report.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { logKey } from '#lab/testing/record.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';
import { closeToday } from '#lab/testing/close.ts';

const key = logKey();
const server = await createTestApp({ env: { LOG_PRIVATE_KEY: key } });

let started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
});

/** Starts ops/serve/main.ts, and returns where it listens, null when it ended instead, and what it said on stderr until then. */
async function start(env: Record<string, string>): Promise<{ url: string | null; said: string }> {
  const child = fork(path.join(ROOT, 'ops/serve/main.ts'), {
    execArgv: [],
    env: {
      ...inheritedEnv(),
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: server.databaseUrl,
      SUI_NETWORK: 'localnet',
      SUI_RPC_URL: inject('rpcUrl'),
      ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
      ADMIN_PASSWORD: 'correct horse battery staple',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  started.push(child);
  let said = '';
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  const url = await new Promise<string | null>((resolve) => {
    child.once('message', (message) => resolve((message as { url: string }).url));
    child.once('close', () => resolve(null));
  });
  return { url, said };
}

test('empty settings equal missing ones: the server listens on this machine alone', async () => {
  const { url } = await start({ HOST: '', METRICS_HOST: '', PUBLIC_ORIGIN: '', WORKERS: '', SNAPS_DECIMALS: '' });
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('HOST=localhost is one address of this machine', async () => {
  const { url } = await start({ HOST: 'localhost' });
  expect(url).toMatch(/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+$/);
});

test.each([
  [
    { SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '6' },
    /^snapswipe: SNAPS_DECIMALS is 6, and SUI has 9 decimals/,
  ],
  [{ SNAPS_COIN_TYPE: '0x5::none::NONE' }, /^snapswipe: SNAPS_COIN_TYPE: localnet has no coin 0x0*5::none::NONE/],
])('does not start with a coin that the chain describes differently: %j', async (env, line) => {
  expect(await start(env)).toEqual({ url: null, said: expect.stringMatching(line) });
});

test('the server starts while the Sui node is down, and compares the coin later', async () => {
  const env = { SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '6', SUI_RPC_URL: 'http://127.0.0.1:1' };
  expect(await start(env)).toEqual({ url: expect.any(String), said: expect.stringContaining('does not respond yet') });
});

test('the server reports a record key that did not sign the record', async () => {
  await closeToday(server.services);
  expect((await start({ LOG_PRIVATE_KEY: key })).said).toBe('');
  const { url, said } = await start({ LOG_PRIVATE_KEY: logKey() });
  expect(said).toMatch(/^snapswipe: LOG_PRIVATE_KEY is not the key that signed the record/);
  expect(url).not.toBeNull();
});
