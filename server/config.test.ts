import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ConfigError, Environment, readConfig } from './config.ts';

const minimal = {
  DATABASE_URL: 'postgres://localhost/snapswipe',
  ADMIN_WALLET: '0xabc',
  ADMIN_PASSWORD: 'long enough',
};

test('[S7.25 R21] the network defaults to devnet, with a node for each network', () => {
  expect(readConfig(minimal)).toMatchObject({ network: 'devnet', port: 3000, faucetUrl: null });
  for (const SUI_NETWORK of ['devnet', 'testnet', 'mainnet', 'localnet']) {
    expect(readConfig({ ...minimal, SUI_NETWORK }).rpcUrl).toMatch(/^https?:\/\//);
  }
});

test('[R2] the admin wallet is normalised', () => {
  expect(readConfig({ ...minimal, ADMIN_WALLET: '0xABC' }).adminWallet).toBe(`0x${'0'.repeat(61)}abc`);
});

test('DATABASE_URL is taken for a pooler when there is another way to the database', () => {
  const direct = 'postgres://localhost:5432/snapswipe';
  const alone = { databaseDirectUrl: minimal.DATABASE_URL, isPooled: false, databaseReplicaUrl: null };
  expect(readConfig(minimal)).toMatchObject(alone);
  expect(readConfig({ ...minimal, DATABASE_DIRECT_URL: '', DATABASE_REPLICA_URL: '' })).toMatchObject(alone);
  expect(readConfig({ ...minimal, DATABASE_DIRECT_URL: minimal.DATABASE_URL })).toMatchObject(alone);
  expect(readConfig({ ...minimal, DATABASE_DIRECT_URL: direct })).toMatchObject({
    databaseUrl: minimal.DATABASE_URL,
    databaseDirectUrl: direct,
    isPooled: true,
  });
});

describe('a wrong setting is one line that names it', () => {
  const cases: Array<[Record<string, string | undefined>, RegExp]> = [
    [{ DATABASE_URL: undefined }, /^DATABASE_URL is required/],
    [{ DATABASE_URL: '' }, /^DATABASE_URL is required/],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL: must start with postgres/],
    [{ DATABASE_DIRECT_URL: 'localhost:5432' }, /^DATABASE_DIRECT_URL: must start with postgres/],
    [{ DATABASE_REPLICA_URL: 'replica' }, /^DATABASE_REPLICA_URL: must start with postgres/],
    [{ ADMIN_WALLET: undefined }, /^ADMIN_WALLET is required/],
    [{ ADMIN_WALLET: 'me' }, /^ADMIN_WALLET: is not a Sui address/],
    [{ PORT: 'eighty' }, /^PORT: /],
    [{ PORT: '70000' }, /^PORT: /],
    [{ SUI_NETWORK: 'moonnet' }, /^SUI_NETWORK: /],
    [{ SUI_RPC_URL: 'not a url' }, /^SUI_RPC_URL: /],
    [{ ADMIN_PASSWORD: 'short' }, /^ADMIN_PASSWORD: must have at least 8/],
    [{ ADMIN_PASSWORD: undefined }, /^ADMIN_PASSWORD_HASH .*required/],
    [{ NODE_ENV: 'production' }, /^PUBLIC_ORIGIN is required in production/],
    [{ NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://a.example' }, /^ADMIN_PASSWORD_HASH is required in production/],
    [{ RATE_LIMIT_WRITES_PER_MINUTE: '0' }, /^RATE_LIMIT_WRITES_PER_MINUTE: /],
  ];
  test.each(cases)('%j', (change, line) => {
    let error: unknown;
    try {
      readConfig({ ...minimal, ...change });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(line);
    expect((error as Error).message).not.toContain('\n');
  });
});

test('.env.example names every variable that is read, each with a comment, and nothing else', async () => {
  const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8');
  expect(Object.keys(parseEnv(text)).sort()).toEqual(Object.keys(Environment.shape).sort());
});
