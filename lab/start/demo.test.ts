import { expect, test } from 'vitest';
import { readConfig } from '#server/kit/config.ts';
import { withDefaults } from './demo.ts';

const LATER = { DATABASE_URL: 'postgres://later', ADMIN_WALLET: `0x${'1'.repeat(64)}` };
test('the demo links to examples in its footer, unless the operator sets other links or empty ones [S1.2]', () => {
  const { chatUrl, socialUrl } = readConfig({ ...withDefaults({}), ...LATER });
  for (const url of [chatUrl, socialUrl]) expect(new URL(url ?? '').hostname).toBe('example.com');
  expect(chatUrl).not.toBe(socialUrl);
  const env = withDefaults({ CHAT_URL: 'https://chat.example/us', SOCIAL_URL: '' });
  expect(readConfig({ ...env, ...LATER })).toMatchObject({ chatUrl: 'https://chat.example/us', socialUrl: null });
});
