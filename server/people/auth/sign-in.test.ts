import type { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Challenge } from '#shared/contract/auth.ts';
import { PUBLIC_ORIGIN, createTestApp } from '#lab/testing/app.ts';
import { Client, newUser, signInWith } from '#lab/testing/client.ts';
import { newWallet } from '#lab/testing/wallets.ts';

const server = await createTestApp();
/** With the settings of a developer's machine. */
const plain = await createTestApp({ env: { PUBLIC_ORIGIN: 'http://localhost:3000' } });
const { db } = server.services;
const bytes = (text: string) => new TextEncoder().encode(text);

/** Clocks of one machine, and a database that writes a moment later. */
const SLACK_MS = 1_000;

async function challengeFor(walletAddress: string): Promise<Challenge> {
  const asked = await new Client(server.url).post<{ challenge: Challenge }>('/api/auth/wallet', { walletAddress });
  expect(asked.status).toBe(401);
  return asked.body.challenge;
}

test('an address alone signs no user in: the response is a challenge [S7.2 R1]', async () => {
  const client = new Client(server.url);
  const walletAddress = newWallet().toSuiAddress();
  const askedAtMs = Date.now();
  const response = await client.post('/api/auth/wallet', { walletAddress });
  expect(response.status).toBe(401);
  expect(response.body).toMatchObject({
    error: 'signature_required',
    challenge: { nonce: expect.stringMatching(/^[0-9a-f]{32}$/) },
  });
  const { message, expiresAt, nonce } = response.body.challenge as Challenge;
  expect(message).toContain('snapswipe.test wants you to sign in with your Sui account:');
  for (const part of [
    walletAddress,
    `URI: ${PUBLIC_ORIGIN}`,
    'Chain ID: sui:localnet',
    `Nonce: ${nonce}`,
    `Expiration Time: ${expiresAt}`,
  ]) {
    expect(message).toContain(part);
  }
  expect(Date.parse(expiresAt)).toBeGreaterThan(askedAtMs + 5 * 60_000 - SLACK_MS);
  expect(Date.parse(expiresAt)).toBeLessThan(Date.now() + 5 * 60_000 + SLACK_MS);
  expect(client.cookie).toBe('');
});

test('a signature over the challenge signs in [R1]', async () => {
  const [client, wallet] = [new Client(server.url), newWallet()];
  const response = await signInWith(client, wallet);
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({
    user: { walletAddress: wallet.toSuiAddress(), username: null, avatarUrl: null },
    stats: { tokenBalance: 0, totalVotes: 0, bullishVotes: 0, bearishVotes: 0, currentStreak: 0 },
  });
  const again = await client.post('/api/auth/wallet', { walletAddress: wallet.toSuiAddress() });
  expect(again.status).toBe(200);
});

test('only the hash of the token is stored [R1]', async () => {
  const client = new Client(server.url);
  await signInWith(client, newWallet());
  const token = client.cookie.split('=')[1] ?? '';
  expect(token).toHaveLength(43);
  const { rows } = await sql<{
    found: boolean;
  }>`SELECT EXISTS (SELECT 1 FROM sessions WHERE position(convert_to(${token}, 'UTF8') IN token_hash) > 0) AS found`.execute(
    db,
  );
  expect(rows[0]?.found).toBe(false);
});

test('an address is normalised before anything else [R2]', async () => {
  const wallet = newWallet();
  const walletAddress = wallet.toSuiAddress().toUpperCase().replace('0X', '0x');
  const { nonce, message } = await challengeFor(walletAddress);
  const response = await prove({ walletAddress, nonce, signature: await signMessage(message, wallet) });
  expect(response).toMatchObject({ status: 200, body: { user: { walletAddress: wallet.toSuiAddress() } } });
});

type Sign = (message: string, wallet: Ed25519Keypair) => Promise<string>;
const signMessage: Sign = async (message, wallet) => (await wallet.signPersonalMessage(bytes(message))).signature;
/** A new wallet's challenge with a signature for it. */
async function newProof(sign = signMessage, asked = newWallet(), wallet = asked) {
  const { nonce, message } = await challengeFor(asked.toSuiAddress());
  return { walletAddress: wallet.toSuiAddress(), nonce, signature: await sign(message, wallet) };
}
const prove = (proof: object, client = new Client(server.url)) => client.post('/api/auth/wallet', proof);

test('a replayed nonce is refused [R1]', async () => {
  const proof = await newProof();
  const responses = await Promise.all(Array.from({ length: 8 }, () => prove(proof)));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = responses.filter(({ status }) => status === 401);
  expect(refused.map(({ body }) => body.error)).toEqual(Array<string>(7).fill('unknown_nonce'));
});

test('a nonce is used up by a wrong signature, too [R1]', async () => {
  const proof = await newProof();
  expect(await prove({ ...proof, signature: 'AAAA' })).toMatchObject({ status: 401, body: { error: 'bad_signature' } });
  expect(await prove(proof)).toMatchObject({ status: 401, body: { error: 'unknown_nonce' } });
});

test('an expired challenge is refused [R1]', async () => {
  const proof = await newProof();
  await sql`UPDATE auth_challenges SET expires_at = now() - interval '1 second' WHERE nonce = ${proof.nonce}`.execute(
    db,
  );
  expect(await prove(proof)).toMatchObject({ status: 401, body: { error: 'challenge_expired' } });
});

test('a challenge of another address is refused, even with that wallet’s valid signature [R1]', async () => {
  const proof = await newProof(signMessage, newWallet(), newWallet());
  expect(await prove(proof)).toMatchObject({ status: 401, body: { error: 'wrong_address' } });
});

const forgeries: Array<[string, Sign]> = [
  ['the key of another wallet', (message) => signMessage(message, newWallet())],
  ['garbage', async () => 'not base64 at all!'],
  ['a very long text', async () => 'A'.repeat(19_999)],
];

test.each(forgeries)('%s is refused with 401 [R1]', async (_name, forge) => {
  const client = new Client(server.url);
  const response = await prove(await newProof(forge), client);
  expect(response).toMatchObject({ status: 401, body: { error: 'bad_signature' } });
  expect(client.cookie).toBe('');
});

test('logging out ends the session on the server [R1]', async () => {
  const user = await newUser(server);
  const { cookie } = user;
  expect((await user.get(`/api/users/${user.id}`)).status).toBe(200);
  expect((await user.post('/api/auth/logout')).body).toEqual({ success: true });
  expect(user.cookie).toBe('');
  user.cookie = cookie;
  expect((await user.get(`/api/users/${user.id}`)).status).toBe(401);
});

test('a session ends after 30 days [R1]', async () => {
  const user = await newUser(server);
  const { rows } = await sql<{ lasts: string }>`
    SELECT (expires_at - created_at)::text AS lasts FROM sessions WHERE user_id = ${user.id}`.execute(db);
  expect(rows).toEqual([{ lasts: '30 days' }]);
  await sql`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = ${user.id}`.execute(db);
  expect((await user.get(`/api/users/${user.id}`)).status).toBe(401);
});

test('signing in with a second wallet replaces the first session [R1]', async () => {
  const user = await newUser(server);
  const first = user.cookie;
  await signInWith(user, newWallet());
  const old = new Client(server.url);
  old.cookie = first;
  expect((await old.get(`/api/users/${user.id}`)).status).toBe(401);
});

test.each([
  ['', 'invalid_input'],
  ['0x', 'invalid_input'],
  [`0x${'1'.repeat(65)}`, 'invalid_input'],
  ['hello', 'invalid_address'],
  [`0x${'g'.repeat(64)}`, 'invalid_address'],
])('%j is not an address: 400 [R2]', async (walletAddress, error) => {
  const response = await new Client(server.url).post('/api/auth/wallet', { walletAddress });
  expect(response).toMatchObject({ status: 400, body: { error, message: expect.any(String) } });
});

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
    expect(secure?.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(open?.headers.get('strict-transport-security')).toBeNull();
  }
});
