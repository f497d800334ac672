import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { expect, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { hashPassword } from '#server/panel/admin/password.ts';
import { readSettings, withCoin, withDefaults } from './demo.ts';

const LATER = { DATABASE_URL: 'postgres://later', ADMIN_WALLET: `0x${'1'.repeat(64)}` };
test('the demo links to examples in its footer, unless the operator sets other links or empty ones [S1.2]', () => {
  const { chatUrl, socialUrl } = readConfig({ ...withDefaults({}), ...LATER });
  for (const url of [chatUrl, socialUrl]) expect(new URL(url ?? '').hostname).toBe('example.com');
  expect(chatUrl).not.toBe(socialUrl);
  const env = withDefaults({ CHAT_URL: 'https://chat.example/us', SOCIAL_URL: '' });
  expect(readConfig({ ...env, ...LATER })).toMatchObject({ chatUrl: 'https://chat.example/us', socialUrl: null });
});

const NO_PAYOUTS = { payoutAutoMaxSnaps: null, payoutKey: null };
const COIN = { coinType: '0x1::later::LATER', decimals: 6 };

test('the demo pays withdrawals in the coin of its chain without a person, unless settings are empty [R79]', () => {
  const paid = readConfig({ ...withCoin(withDefaults({}), COIN), ...LATER });
  expect(paid).toMatchObject({ payoutAutoMaxSnaps: 1_000, snapsDecimals: COIN.decimals });
  expect(paid.payoutKey?.toSuiAddress()).not.toBe(paid.adminWallet);
  const empty = withDefaults({ PAYOUT_AUTO_MAX_SNAPS: '', PAYOUT_PRIVATE_KEY: '' });
  expect(readConfig({ ...withCoin(empty, COIN), ...LATER })).toMatchObject(NO_PAYOUTS);
});

test('a production start pays nothing without a person, and the data of the demo is refused on mainnet [R79]', async () => {
  const production = { NODE_ENV: 'production', PUBLIC_ORIGIN: 'https://snapswipe.example' };
  const ADMIN_PASSWORD_HASH = await hashPassword('long enough');
  expect(readConfig({ ...LATER, ...production, ADMIN_PASSWORD_HASH })).toMatchObject(NO_PAYOUTS);
  const env = { ...process.env, SUI_NETWORK: 'mainnet', DATABASE_URL: LATER.DATABASE_URL };
  await expect(promisify(execFile)(process.execPath, ['scripts/seed.ts'], { env })).rejects.toThrow('not for mainnet');
});

test('the demo takes PAYOUT_PRIVATE_KEY alone: the coin is that of its chain [R79]', () => {
  const PAYOUT_PRIVATE_KEY = new Ed25519Keypair().getSecretKey();
  expect(readSettings(withDefaults({ PAYOUT_PRIVATE_KEY })).payoutKey?.getSecretKey()).toBe(PAYOUT_PRIVATE_KEY);
  expect(() => readSettings(withDefaults({ PAYOUT_PRIVATE_KEY, SUI_NETWORK: 'testnet' }))).toThrow('ADMIN_WALLET');
});
