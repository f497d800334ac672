import { expect, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { withDefaults } from './demo.ts';

const LATER = { DATABASE_URL: 'postgres://later', ADMIN_WALLET: `0x${'1'.repeat(64)}` };

test('the demo has a chat group and a social account in its footer, which are clearly examples [S1.2]', () => {
  const { chatUrl, socialUrl } = readConfig({ ...withDefaults({}), ...LATER });
  for (const url of [chatUrl, socialUrl]) expect(new URL(url ?? '').hostname).toBe('example.com');
  expect(chatUrl).not.toBe(socialUrl);
});

test('settings of the operator override those of the demo; empty ones hide the links, as everywhere [S1.2]', () => {
  const env = withDefaults({ CHAT_URL: 'https://chat.example/us', SOCIAL_URL: '' });
  expect(readConfig({ ...env, ...LATER })).toMatchObject({ chatUrl: 'https://chat.example/us', socialUrl: null });
});

test('links that are not set are not shown outside the demo [S1.2]', () => {
  const production = { ADMIN_PASSWORD: 'long enough', SUI_NETWORK: 'localnet', ...LATER };
  expect(readConfig(production)).toMatchObject({ chatUrl: null, socialUrl: null });
});
