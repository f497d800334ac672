import { accessSync, constants, mkdirSync } from 'node:fs';
import path from 'node:path';
import { acquireLock, LockedError } from '#ops/process/lock.ts';
import { migrate } from '#db/migrate.ts';
import { DEMO_PASSWORD } from '#server/panel/admin/password.ts';
import { readConfig, type Config } from '#server/kit/config.ts';
import { openTaskDatabase } from '#ops/serve/database.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { PAYER } from '../demo/accounts.ts';
import { openLocalChain, type LocalChain } from './local-chain.ts';
import { keepBook } from './book.ts';
import { fundPayouts } from './payout-wallet.ts';
import { fundAnchors, keepRecordKeys } from './record-keys.ts';
import { messageOf, ROOT, step } from '#ops/process/report.ts';
import { checkPorts } from '#ops/serve/ports.ts';
import { warnOfUnknownSettings } from '#ops/serve/prepare.ts';

/** Footer links of the demo (S1.2); an empty setting hides them. */
const DEMO_LINKS = {
  CHAT_URL: 'https://example.com/#snapswipe-demo-chat',
  SOCIAL_URL: 'https://example.com/#snapswipe-demo-social',
};

/** Payouts without a person (R79); empty settings turn them off. */
const DEMO_PAYOUTS = { PAYOUT_AUTO_MAX_SNAPS: '1000', PAYOUT_PRIVATE_KEY: PAYER.secretKey };

/** Placeholders for values that are not known yet, so that all other settings are checked before anything starts. */
const LATER = {
  DATABASE_URL: 'postgres://later',
  ADMIN_WALLET: `0x${'1'.repeat(64)}`,
  SNAPS_COIN_TYPE: '0x1::later::LATER',
};

interface DemoParts {
  /** All settings that ops/serve/main.ts needs. */
  env: NodeJS.ProcessEnv;
  config: Config;
  broken: Promise<string>;
}

/** Shared by demo and development: checks, one start per folder, database, chain, migrations, demo data. */
export async function startDemoParts(lifecycle: Lifecycle): Promise<DemoParts> {
  const base = withDefaults();
  const listens = readSettings(base);
  warnOfUnknownSettings(base);
  await claimFolder(lifecycle);
  // Browsers treat either of them as localhost.
  await checkPorts(listens, ['127.0.0.1', '::1']);
  // Checked before the database starts, because another program may use its ports.
  const chain = await openChain(lifecycle, base);
  const database = await openTaskDatabase(lifecycle);
  const env: NodeJS.ProcessEnv = { ...base, DATABASE_URL: database.url };
  const keys = await keepRecordKeys(path.join(ROOT, 'data'));
  env.LOG_PRIVATE_KEY ||= keys.LOG_PRIVATE_KEY;
  env.PUSH_PRIVATE_KEY ||= keys.PUSH_PRIVATE_KEY;
  if (chain !== undefined) {
    env.SUI_RPC_URL = chain.rpcUrl;
    env.SUI_FAUCET_URL = chain.faucetUrl;
    if (!env.ANCHOR_PRIVATE_KEY) {
      env.ANCHOR_PRIVATE_KEY = keys.ANCHOR_PRIVATE_KEY;
      await fundAnchors(keys.ANCHOR_PRIVATE_KEY, chain).catch((error: unknown) =>
        console.log(`! The wallet that anchors the record has no gas yet (${messageOf(error)}).`),
      );
    }
    env.ADMIN_WALLET = base.ADMIN_WALLET || chain.demo.adminWallet;
    if (!env.ADMIN_WALLET) {
      throw new Error(
        'The Sui node that is running here has no demo accounts: set ADMIN_WALLET to the address of the admin.',
      );
    }
    if (chain.demo.coin !== undefined && !base.SNAPS_COIN_TYPE) Object.assign(env, withCoin(env, chain.demo.coin));
  }
  if (env.SNAPS_COIN_TYPE === chain?.demo.coin?.coinType && chain !== undefined && !env.SNAPS_BOOK) {
    const payoutKey = readConfig(env).payoutKey?.toSuiAddress() ?? null;
    env.SNAPS_BOOK = (await keepBook(path.join(ROOT, 'data'), chain, payoutKey)) ?? '';
  }
  const config = readConfig(env);
  if (config.payoutKey !== null && chain !== undefined)
    await fundPayouts(config.payoutKey.toSuiAddress(), chain).catch((error: unknown) =>
      console.log(`! The wallet of PAYOUT_PRIVATE_KEY has no coins yet (${messageOf(error)}).`),
    );
  await step('Database is up to date', () => migrate(database.url, (line) => console.log(`  ${line}`)));
  await lifecycle.checkpoint();
  const isSeeded = await seed(database.url);
  if (isSeeded && chain !== undefined) await fundHolders(chain.faucetUrl);
  await lifecycle.checkpoint();
  return {
    env,
    config,
    broken: Promise.race([database.exited, chain?.exited ?? new Promise<string>(() => undefined)]),
  };
}

export function withDefaults(source: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...DEMO_LINKS, ...source };
  env.SUI_NETWORK ||= 'localnet';
  // Many shells set NODE_ENV to production, whose settings are missing at a first start.
  env.NODE_ENV = 'development';
  env.HOST ||= 'localhost';
  env.LOG_LEVEL ||= 'warn';
  if (!env.ADMIN_PASSWORD && !env.ADMIN_PASSWORD_HASH) env.ADMIN_PASSWORD = DEMO_PASSWORD;
  return env;
}

type Coin = NonNullable<LocalChain['demo']['coin']>;

/** The coin of the sandbox chain, and payouts in it. */
export const withCoin = (env: NodeJS.ProcessEnv, { coinType, decimals }: Coin): NodeJS.ProcessEnv => ({
  ...DEMO_PAYOUTS,
  ...env,
  SNAPS_COIN_TYPE: coinType,
  SNAPS_DECIMALS: String(decimals),
});

/** Settings that the chain and the database will give are filled in, so that all others are checked now. */
export function readSettings(base: NodeJS.ProcessEnv): Config {
  return readConfig({
    ...base,
    DATABASE_URL: base.DATABASE_URL || LATER.DATABASE_URL,
    ...(base.SUI_NETWORK === 'localnet'
      ? {
          ADMIN_WALLET: base.ADMIN_WALLET || LATER.ADMIN_WALLET,
          SNAPS_COIN_TYPE: base.SNAPS_COIN_TYPE || LATER.SNAPS_COIN_TYPE,
        }
      : {}),
  });
}

async function openChain(lifecycle: Lifecycle, env: NodeJS.ProcessEnv): Promise<LocalChain | undefined> {
  return env.SUI_NETWORK === 'localnet' && !env.SUI_RPC_URL ? openLocalChain(lifecycle) : undefined;
}

async function seed(databaseUrl: string): Promise<boolean> {
  const { seedIfEmpty } = await import('../demo/seed.ts');
  return step(
    'Demo data',
    () => seedIfEmpty(databaseUrl, (line) => console.log(`  ${line}`)),
    (seeded) => (seeded ? 'Demo data written' : 'Data is present'),
  );
}

/** The server reads the balances of the demo's voters every day. */
async function fundHolders(faucetUrl: string): Promise<void> {
  const [{ SUI_HOLDERS }, { requestSuiFromFaucetV2 }] = await Promise.all([
    import('../demo/standing.ts'),
    import('@mysten/sui/faucet'),
  ]);
  await step('Demo wallets hold SUI', () =>
    Promise.all(
      SUI_HOLDERS.map(({ walletAddress }) => requestSuiFromFaucetV2({ host: faucetUrl, recipient: walletAddress })),
    ),
  );
}

/** Two demos in one folder would share ports and data. */
async function claimFolder(lifecycle: Lifecycle): Promise<void> {
  const folder = path.join(ROOT, 'data');
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(
      `The folder ${folder} cannot be written (${messageOf(error)}): give this user the right to write it.`,
      { cause: error },
    );
  }
  try {
    const lock = acquireLock(path.join(folder, 'start.lock'));
    await lifecycle.atEnd(async () => lock.release());
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    throw new Error(
      `Snapswipe is already running in this folder (process ${error.pid ?? 'unknown'}): use that one, or stop it first.`,
      { cause: error },
    );
  }
}
