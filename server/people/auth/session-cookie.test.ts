import { expect, test } from 'vitest';
import { createTestApp } from '#lab/testing/app.ts';
import { Client, signInWith } from '#lab/testing/client.ts';
import { newWallet } from '#lab/testing/wallets.ts';

/** The settings of production, and those of a developer's machine. */
const [server, plain] = [
  await createTestApp(),
  await createTestApp({ env: { PUBLIC_ORIGIN: 'http://localhost:3000' } }),
];

const TOKEN = '[\\w-]{43}';
const attributesOf = (cookie: string): string[] => cookie.split('; ').slice(1).toSorted();

test('on https the cookie is bound to the host, and no other name of it is accepted [R1]', async () => {
  const client = new Client(server.url);
  const signedIn = await signInWith(client, newWallet());
  expect(signedIn.status).toBe(200);
  const [cookie = ''] = signedIn.headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`^__Host-snapswipe_session=${TOKEN}; `));
  expect(attributesOf(cookie)).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
  expect((await client.get('/api/payments')).status).toBe(200);

  // A cookie that a sibling subdomain could plant.
  const planted = new Client(server.url);
  planted.cookie = client.cookie.replace('__Host-', '');
  expect((await planted.get('/api/payments')).status).toBe(401);

  const signedOut = await client.post('/api/auth/logout');
  expect(signedOut.headers.getSetCookie()[0]).toMatch(/^__Host-snapswipe_session=; .*Path=\/.*Secure/);
});

test('on http the cookie has no prefix that needs https, so that browsers keep it [R1]', async () => {
  const client = new Client(plain.url);
  const signedIn = await signInWith(client, newWallet());
  const [cookie = ''] = signedIn.headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`^snapswipe_session=${TOKEN}; `));
  expect(attributesOf(cookie)).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']);
  expect((await client.get('/api/payments')).status).toBe(200);
});

test('every response on https tells the browser to stay there, and none on http does', async () => {
  for (const path of ['/api/config', '/api/nothing', '/healthz']) {
    const [secure, open] = await Promise.all([server, plain].map(({ url }) => new Client(url).get(path)));
    expect(secure?.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(open?.headers.get('strict-transport-security')).toBeNull();
  }
});
