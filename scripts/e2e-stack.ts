/**
 * The whole product on free ports with its own data, for the browser journeys: forked by lab/e2e/global-setup.ts,
 * controlled by messages, ends with its parent. Has the demo's prepared data (30 projects and more).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { freePort } from '#ops/process/free-port.ts';
import { migrate } from '#db/migrate.ts';
import { seedIfEmpty } from '#lab/demo/seed.ts';
import { type Child, forkReady } from '#ops/process/children.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { fundAnchors, newRecordKeys } from '#lab/start/record-keys.ts';
import { forkServer } from '#ops/serve/server.ts';
import { WITHOUT_RATE_LIMITS } from '#lab/start/without-rate-limits.ts';

interface DemoAccounts {
  accounts: Array<{ address: string }>;
  demoCoin: { coinType: string; decimals: number };
}

await runWithLifecycle(async (lifecycle) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-e2e-'));
  await lifecycle.own(Promise.resolve({ stop: () => rm(folder, { recursive: true, force: true }) }));
  const database = await lifecycle.own(
    startEmbeddedPostgres({
      dataDir: path.join(folder, 'postgres'),
      durable: false,
      // Journeys that upgrade have separate servers, each of them twice for a moment.
      settings: { max_connections: '300' },
    }),
  );
  const sandbox = await lifecycle.own(
    forkReady({
      name: 'The sandbox chain',
      file: 'lab/sandbox/main.ts',
      env: { ...process.env, SANDBOX_PORT: '0', SANDBOX_FAUCET_PORT: '0', SANDBOX_DIR: path.join(folder, 'sandbox') },
      quiet: true,
    }),
  );
  await migrate(database.url);
  await seedIfEmpty(database.url);
  const { rpcUrl, faucetUrl } = sandbox.ready as { rpcUrl: string; faucetUrl: string };
  const { accounts, demoCoin } = (await (await fetch(`${faucetUrl}/demo-accounts`)).json()) as DemoAccounts;
  const keys = newRecordKeys();
  await fundAnchors(keys.ANCHOR_PRIVATE_KEY, { rpcUrl, faucetUrl });
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'development',
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    DATABASE_URL: database.url,
    SUI_NETWORK: 'localnet',
    SUI_RPC_URL: rpcUrl,
    SUI_FAUCET_URL: faucetUrl,
    ADMIN_WALLET: accounts[0]?.address,
    ADMIN_PASSWORD: 'snapswipe-e2e',
    ...keys,
    SNAPS_COIN_TYPE: demoCoin.coinType,
    SNAPS_DECIMALS: String(demoCoin.decimals),
    CHAT_URL: 'https://chat.example/snapswipe',
    SOCIAL_URL: 'https://x.com/snapswipe',
    ...WITHOUT_RATE_LIMITS,
  };
  const startServer = (): Promise<Child> => forkServer({ env });
  let server = await lifecycle.own(startServer());
  await lifecycle.own(Promise.resolve({ stop: () => server.stop() }));
  lifecycle.running();
  process.on('message', (message) => {
    if (message !== 'restart') return;
    void (async () => {
      await server.stop();
      server = await startServer();
      process.send?.('restarted');
    })();
  });
  const url = `http://localhost:${port}`;
  // `settings`: for a journey that starts a further server over the same data.
  process.send?.({ ready: true, url, databaseUrl: database.url, rpcUrl, faucetUrl, settings: env });
  await new Promise(() => undefined);
});
