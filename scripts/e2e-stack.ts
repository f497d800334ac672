/**
 * The whole product on free ports with its own data, for the browser journeys: forked by lab/e2e/global-setup.ts,
 * controlled by messages, ends with its parent. Has the demo's prepared data (30 projects and more).
 */
import { seedIfEmpty } from '#lab/demo/seed.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from '#lab/settings.ts';
import { startDatabase, startSandbox, startServer } from '#lab/stack.ts';
import { startPushService } from '#lab/push/service.ts';
import { fundAnchors, newRecordKeys } from '#lab/start/record-keys.ts';
import { freePort } from '#ops/process/free-port.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';

interface DemoAccounts {
  accounts: Array<{ address: string }>;
  demoCoin: { coinType: string; decimals: number };
}

await runWithLifecycle(async (lifecycle) => {
  const database = await startDatabase(lifecycle, { durable: false });
  await seedIfEmpty(database.url);
  const { rpcUrl, faucetUrl } = await startSandbox(lifecycle);
  const { accounts, demoCoin } = (await (await fetch(`${faucetUrl}/demo-accounts`)).json()) as DemoAccounts;
  const keys = newRecordKeys();
  await fundAnchors(keys.ANCHOR_PRIVATE_KEY, { rpcUrl, faucetUrl });
  const pushService = await lifecycle.own(startPushService());
  const port = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...serverSettings(database.url, { rpcUrl, faucetUrl }),
    NODE_ENV: 'development',
    LOG_LEVEL: 'error',
    PORT: String(port),
    PUBLIC_ORIGIN: `http://localhost:${port}`,
    ADMIN_WALLET: accounts[0]?.address,
    ADMIN_PASSWORD: 'snapswipe-e2e',
    ...keys,
    PUSH_HOSTS: pushService.origin,
    SNAPS_COIN_TYPE: demoCoin.coinType,
    SNAPS_DECIMALS: String(demoCoin.decimals),
    CHAT_URL: 'https://chat.example/snapswipe',
    SOCIAL_URL: 'https://x.com/snapswipe',
    ...WITHOUT_RATE_LIMITS,
  };
  const server = await startServer(lifecycle, env, { quiet: false });
  lifecycle.running();
  process.on('message', (message) => {
    if (message !== 'restart') return;
    void (async () => {
      await server.stop();
      await server.start();
      process.send?.('restarted');
    })();
  });
  const url = `http://localhost:${port}`;
  // `settings`: for a journey that starts a further server over the same data.
  const pushUrl = pushService.origin;
  process.send?.({ ready: true, url, databaseUrl: database.url, rpcUrl, faucetUrl, pushUrl, settings: env });
  await new Promise(() => undefined);
});
