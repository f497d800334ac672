import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { expect, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { readSettings, withDefaults } from './demo.ts';

const LATER = { DATABASE_URL: 'postgres://later', ADMIN_WALLET: `0x${'1'.repeat(64)}` };
test('the demo links to examples in its footer, unless the operator sets other links or empty ones [S1.2]', () => {
  const { chatUrl, socialUrl } = readConfig({ ...withDefaults({}), ...LATER });
  for (const url of [chatUrl, socialUrl]) expect(new URL(url ?? '').hostname).toBe('example.com');
  expect(chatUrl).not.toBe(socialUrl);
  const env = withDefaults({ CHAT_URL: 'https://chat.example/us', SOCIAL_URL: '' });
  expect(readConfig({ ...env, ...LATER })).toMatchObject({ chatUrl: 'https://chat.example/us', socialUrl: null });
});

test('the demo takes PAYOUT_PRIVATE_KEY alone: the coin is that of its chain [R79]', () => {
  const PAYOUT_PRIVATE_KEY = new Ed25519Keypair().getSecretKey();
  expect(readSettings(withDefaults({ PAYOUT_PRIVATE_KEY })).payoutKey?.getSecretKey()).toBe(PAYOUT_PRIVATE_KEY);
  expect(() => readSettings(withDefaults({ PAYOUT_PRIVATE_KEY, SUI_NETWORK: 'testnet' }))).toThrow('ADMIN_WALLET');
});
