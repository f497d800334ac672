import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '#lab/testing/app.ts';
import { type TestResponse, Client, newUser, signInWith } from '#lab/testing/client.ts';
import { newWallet } from '#lab/testing/wallets.ts';

/** The address of a client is the one that its proxy reports. */
const LIMITS = { env: { RATE_LIMIT_FACTOR: '1' } };
/** Room for six challenges or signatures, and nothing comes back during a test. */
const scarceServer = (): Promise<TestApp> => createTestApp({ config: { readMsPerMinute: 1 } });

/** A browser behind the given address. */
class Browser extends Client {
  readonly address: string;

  constructor(url: string, address: string) {
    super(url);
    this.address = address;
  }

  override send<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return super.send<T>(method, path, body, { ...headers, 'x-forwarded-for': this.address });
  }
}

const PATH = '/api/auth/wallet';
const statuses = (responses: TestResponse<unknown>[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** One after the other, because the order decides which ones exceed the limit. */
async function repeat<T>(times: number, send: (i: number) => Promise<T>): Promise<T[]> {
  const responses: T[] = [];
  for (let i = 0; i < times; i += 1) responses.push(await send(i));
  return responses;
}

describe('the limit of sign-ins counts people who sign in, by address', () => {
  test('thirty-one people of one office sign in and load two hundred pages within a minute [R1]', async () => {
    const server = await createTestApp(LIMITS);
    const people = await repeat(30, async () => {
      const browser = new Browser(server.url, '203.0.113.1');
      const wallet = newWallet();
      expect((await signInWith(browser, wallet)).status).toBe(200);
      return { browser, walletAddress: wallet.toSuiAddress() };
    });
    const loads = await repeat(200, async (i) => {
      const person = people[i % people.length];
      return person ? person.browser.post(PATH, { walletAddress: person.walletAddress }) : undefined;
    });
    expect(statuses(loads.filter((response) => response !== undefined))).toEqual({ 200: 200 });
    const last = new Browser(server.url, '203.0.113.1');
    expect((await signInWith(last, newWallet())).status).toBe(200);
  });

  test('refuses challenges of an address beyond its budget with Retry-After, and those of no other address', async () => {
    const server = await scarceServer();
    const ask = (address: string) =>
      new Browser(server.url, address).post(PATH, { walletAddress: newWallet().toSuiAddress() });
    const responses = await repeat(8, () => ask('203.0.113.1'));
    expect(statuses(responses)).toEqual({ 401: 6, 429: 2 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ error: 'rate_limited', message: expect.any(String) });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await ask('203.0.113.2')).status).toBe(401);
  });

  test('a cookie that is not a session of the wallet does not bypass the limit', async () => {
    const server = await scarceServer();
    const ended = await newUser(server);
    await sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${ended.id}`.execute(server.services.db);
    const other = await newUser(server);
    const cookies = ['__Host-snapswipe_session=made-up', ended.cookie, other.cookie];
    for (const [i, cookie] of cookies.entries()) {
      const responses = await repeat(8, () => {
        const browser = new Browser(server.url, `198.51.100.${i}`);
        browser.cookie = cookie;
        return browser.post(PATH, { walletAddress: newWallet().toSuiAddress() });
      });
      expect({ cookie, ...statuses(responses) }).toEqual({ cookie, 401: 6, 429: 2 });
    }
  });

  test('a session of the wallet does not bypass the limit of proofs', async () => {
    const server = await scarceServer();
    const user = new Browser(server.url, '203.0.113.9');
    const wallet = newWallet();
    await signInWith(user, wallet);
    const proof = { walletAddress: wallet.toSuiAddress(), nonce: '0'.repeat(32), signature: 'AAAA' };
    const responses = await repeat(8, () => user.post(PATH, proof));
    expect(statuses(responses)).toEqual({ 401: 6, 429: 2 });
    expect((await user.post(PATH, { walletAddress: wallet.toSuiAddress() })).status).toBe(200);
    // Nor when it signs for another purpose.
    const elsewhere = new Browser(server.url, '203.0.113.10');
    elsewhere.cookie = user.cookie;
    const { body } = await user.post<{ user: { id: number } }>(PATH, { walletAddress: wallet.toSuiAddress() });
    const remove = (more: object) => elsewhere.send('DELETE', `/api/users/${body.user.id}`, more);
    expect(statuses(await repeat(2, () => remove({})))).toEqual({ 401: 2 });
    const { nonce, signature } = proof;
    expect(statuses(await repeat(6, () => remove({ nonce, signature })))).toEqual({ 401: 4, 429: 2 });
  });
});

describe('the limit of new wallets by network and hour [R66]', () => {
  const MOST = 6;
  const start = () => createTestApp({ env: { NEW_WALLETS_PER_HOUR: String(MOST) } });
  const enter = (server: TestApp, address: string, wallet = newWallet()) =>
    signInWith(new Browser(server.url, address), wallet);
  const accounts = async (server: TestApp): Promise<number> =>
    (await server.services.db.selectFrom('users').select('id').execute()).length;

  test('a limited number of wallets of one /24 get an account; the others get a Retry-After, and nothing of them is stored', async () => {
    const server = await start();
    // Half of them at once, from separate addresses.
    const responses = await Promise.all(
      Array.from({ length: 2 * MOST }, (_, n) => enter(server, `203.0.113.${n + 1}`)),
    );
    expect(statuses(responses)).toEqual({ 200: MOST, 429: MOST });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      error: 'new_wallets',
      message: 'Too many new wallets have signed in from your network within the last hour. Try again in 60 minutes.',
    });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(await accounts(server)).toBe(MOST);
    expect((await enter(server, '203.0.114.1')).status).toBe(200);
  });

  test('the limit of new wallets counts a /48 of IPv6 as one network', async () => {
    const server = await start();
    const responses = await repeat(MOST + 2, (n) => enter(server, `2001:db8:1:${n}::1`));
    expect(statuses(responses)).toEqual({ 200: MOST, 429: 2 });
    expect((await enter(server, '2001:db8:2::1')).status).toBe(200);
  });

  test('wallets that have an account sign in as before, and are not counted', async () => {
    const server = await start();
    const known = newWallet();
    expect((await enter(server, '203.0.113.1', known)).status).toBe(200);
    expect(statuses(await repeat(2 * MOST, () => enter(server, '203.0.113.1', known)))).toEqual({ 200: 2 * MOST });
    expect(statuses(await repeat(MOST, () => enter(server, '203.0.113.1')))).toEqual({ 200: MOST - 1, 429: 1 });
    expect(statuses(await repeat(MOST, () => enter(server, '203.0.113.1', known)))).toEqual({ 200: MOST });
  });

  test('a new wallet that is refused repeatedly does not lock its neighbors out', async () => {
    const server = await createTestApp({ env: { NEW_WALLETS_PER_HOUR: '1', RATE_LIMIT_FACTOR: '1' } });
    const [known, refused] = [newWallet(), newWallet()];
    expect((await enter(server, '203.0.113.1', known)).status).toBe(200);
    // A refused wallet has used up its challenge, like one that never signs.
    expect(statuses(await repeat(10, () => enter(server, '203.0.113.1', refused)))).toEqual({ 429: 10 });
    expect((await enter(server, '203.0.113.1', known)).status).toBe(200);
  });

  test('a network has room again an hour after its first new wallet', async () => {
    const server = await start();
    const startMs = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    onTestFinished(() => void vi.useRealTimers());
    expect(statuses(await repeat(MOST + 1, () => enter(server, '203.0.113.1')))).toEqual({ 200: MOST, 429: 1 });
    vi.setSystemTime(startMs + 3_600_000 - 30_000);
    expect((await enter(server, '203.0.113.1')).body).toMatchObject({
      message: expect.stringContaining('in 1 minute.'),
    });
    vi.setSystemTime(startMs + 3_600_001);
    expect((await enter(server, '203.0.113.1')).status).toBe(200);
  });
});
