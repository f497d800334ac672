/** The whole product with the demo's data, for browser journeys: lab/e2e/stack.ts forks it and controls it by messages. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { createSuiClient } from '#chain/client.ts';
import { openDatabase } from '#db/client.ts';
import { readConfig } from '#server/kit/config.ts';
import { makeBook } from './testing/book.ts';
import * as close from './testing/close.ts';
import { DEMO_ACCOUNTS } from './demo/accounts.ts';
import { seedIfEmpty } from './demo/seed.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from './settings.ts';
import { startDatabase, startSandbox, startServer } from './stack.ts';
import { startPushService } from './push/service.ts';
import { fundAnchors, newRecordKeys } from './start/record-keys.ts';
import { freePort } from '#ops/process/free-port.ts';
import { runWithLifecycle } from '#ops/process/lifecycle.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';

/** Closes this day as if it were over. */
async function closeToday(databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
  const database = openDatabase(databaseUrl, { maxConnections: 2 });
  await close.closeToday({ db: database.db, config: readConfig(env) });
  await database.close();
}

await runWithLifecycle(async (lifecycle) => {
  const database = await startDatabase(lifecycle, { durable: false });
  await seedIfEmpty(database.url);
  const { rpcUrl, faucetUrl } = await startSandbox(lifecycle, { accounts: DEMO_ACCOUNTS });
  const { accounts, demoCoin } = await fetchDemoAccounts(faucetUrl);
  const keys = newRecordKeys();
  await fundAnchors(keys.ANCHOR_PRIVATE_KEY, { rpcUrl, faucetUrl });
  const client = createSuiClient({ network: 'localnet', url: rpcUrl });
  const admin = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
  const book = await makeBook(client, admin, {
    coinType: demoCoin.coinType,
    payers: process.env.E2E_PAYER ? [process.env.E2E_PAYER] : [],
  });
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
    SNAPS_COIN_TYPE: process.env.E2E_WITHOUT_COIN ? '' : demoCoin.coinType,
    SNAPS_BOOK: process.env.E2E_WITHOUT_COIN ? '' : book.id,
    SNAPS_DECIMALS: String(demoCoin.decimals),
    CHAT_URL: 'https://chat.example/snapswipe',
    SOCIAL_URL: 'https://x.com/snapswipe',
    ...WITHOUT_RATE_LIMITS,
  };
  const server = await startServer(lifecycle, env, { quiet: false });
  lifecycle.running();
  process.on('message', (message) => {
    if (message === 'close today') {
      void closeToday(database.url, env).then(() => process.send?.('closed'));
      return;
    }
    const more = typeof message === 'object' && message !== null && 'settings' in message ? message.settings : null;
    if (message !== 'restart' && more === null) return;
    void (async () => {
      await server.stop();
      Object.assign(env, more);
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
