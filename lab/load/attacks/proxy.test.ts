import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../testing/app.ts';
import { Client } from '../../testing/client.ts';
import { newWallet } from '../../testing/wallets.ts';

async function begin(url: string, count: number, forwardedFor: (at: number) => string): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let at = 0; at < count; at += 1) {
    const body = { walletAddress: newWallet().toSuiAddress() };
    const { status } = await new Client(url).post('/api/auth/wallet', body, { 'x-forwarded-for': forwardedFor(at) });
    statuses.add(status);
  }
  return statuses;
}

describe.each([
  ['one proxy', '1', ''],
  ['a list of proxies', '127.0.0.1, 198.51.100.0/24', ', 198.51.100.9'],
  ['two proxies', '2', ', 198.51.100.9'],
])('counts clients by address behind %s', (_what, trustProxy, inner) => {
  test('a forged X-Forwarded-For does not give a client a new address', async () => {
    const server = await createTestApp({ env: { TRUST_PROXY: trustProxy, RATE_LIMIT_SIGN_IN_PER_MINUTE: '5' } });
    const forged = await begin(server.url, 12, (at) => `10.0.${at}.2, 203.0.113.7${inner}`);
    expect(forged).toEqual(new Set([401, 429]));
    // Another client is not affected, though it claims to be the same.
    expect(await begin(server.url, 3, () => `203.0.113.7, 203.0.113.8${inner}`)).toEqual(new Set([401]));
  });
});

test('the header is ignored without a proxy', async () => {
  const server = await createTestApp({ env: { TRUST_PROXY: '', RATE_LIMIT_SIGN_IN_PER_MINUTE: '5' } });
  expect(await begin(server.url, 12, (at) => `10.0.${at}.2`)).toEqual(new Set([401, 429]));
});
