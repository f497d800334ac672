/** A site of its own without a coin of Snaps (R83): it is started again with the coin and the Book that its owner makes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import pg from 'pg';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import type { Stack } from '../stack.ts';
import { onOwnSite } from './own-site.ts';

const run = promisify(execFile);

export const test = onOwnSite({ E2E_WITHOUT_COIN: '1' });

/** `npm run coin`, with the settings of the site. */
async function coin({ settings }: Stack, ...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['scripts/coin.ts', ...words], {
    env: { ...process.env, ...settings },
  });
  return stdout;
}

/** Makes the coin and its Book by the command, and signs elsewhere what it prints; returns the printed settings. */
export async function makeCoinAndBook(site: Stack): Promise<Record<string, string>> {
  const { accounts } = await fetchDemoAccounts(site.faucetUrl);
  const key = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
  const settings: Record<string, string> = {};
  let printed = await coin(site, '--name', 'Reef Snaps', '--symbol', 'REEF', '--supply', '1000000');
  for (;;) {
    const bytes = /--data (\S+)/.exec(printed)?.[1];
    if (bytes === undefined) return settings;
    const { signature } = await key.signTransaction(Buffer.from(bytes, 'base64'));
    printed = await coin(site, '--bytes', bytes, '--signature', signature);
    for (const [, name = '', value = ''] of printed.matchAll(/^(SNAPS_\w+)=(\S+)$/gm)) settings[name] = value;
    Object.assign(site.settings, settings);
  }
}

/** A copy of the database as it is now, as a backup has it; the site loses its connections for a moment. */
export async function copyDatabase({ databaseUrl }: Stack, copy: string): Promise<string> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  const client = new pg.Client({
    connectionString: Object.assign(new URL(databaseUrl), { pathname: '/template1' }).href,
  });
  await client.connect();
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await client.query(`CREATE DATABASE ${copy} TEMPLATE ${name}`);
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  await client.end();
  return Object.assign(url, { pathname: `/${copy}` }).href;
}
