import { expect, test } from 'vitest';
import { createTestApp } from '../testing/app.ts';
import { Client, signInWith } from '../testing/client.ts';
import { newWallet } from '../testing/wallets.ts';

const server = await createTestApp({ env: { PUBLIC_ORIGIN: 'https://snapswipe.test' } });

test('on https the cookie is bound to the host, and no other name of it is taken [R1]', async () => {
  const client = new Client(server.url);
  const signedIn = await signInWith(client, newWallet());
  expect(signedIn.status).toBe(200);
  const [cookie = ''] = signedIn.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-snapswipe_session=[\w-]{43}; /);
  const attributes = cookie.split('; ').slice(1);
  expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax']));
  expect(cookie).not.toMatch(/Domain=/i);
  expect(signedIn.headers.get('strict-transport-security')).toContain('max-age=31536000');
  expect((await client.get('/api/payments')).status).toBe(200);

  // As a sibling subdomain could plant it.
  const planted = new Client(server.url);
  planted.cookie = client.cookie.replace('__Host-', '');
  expect((await planted.get('/api/payments')).status).toBe(401);

  const signedOut = await client.post('/api/auth/logout');
  expect(signedOut.headers.getSetCookie()[0]).toMatch(/^__Host-snapswipe_session=; .*Path=\/.*Secure/);
});
