import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { SESSIONS_PER_USER } from '#shared/constants.ts';
import type { SessionInfo } from '#shared/contract/auth.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { insertProjects } from '#lab/testing/builders.ts';
import { Client, newUser, signInWith, type TestUser } from '#lab/testing/client.ts';
import { ADMIN_KEYPAIR } from '#lab/testing/wallets.ts';

const server = await createTestApp();
const { db } = server.services;

const CHROME_ON_ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const PATIENCE = { timeout: 5_000, interval: 20 };

/** Another session of the same person, in a new browser. */
async function secondDevice(user: TestUser, userAgent = CHROME_ON_ANDROID): Promise<TestUser> {
  const client = new Client(user.url);
  const send = client.send.bind(client);
  client.send = (method, path, body, headers) => send(method, path, body, { 'user-agent': userAgent, ...headers });
  const response = await signInWith(client, user.wallet);
  expect(response.status).toBe(200);
  return Object.assign(client, { id: user.id, address: user.address, wallet: user.wallet });
}

const list = async (user: Client): Promise<SessionInfo[]> => (await user.get<SessionInfo[]>('/api/auth/sessions')).body;
const isSignedIn = async (user: TestUser): Promise<boolean> =>
  (await user.get(`/api/users/${user.id}/stats`)).status === 200;

test("the list has the user's live sessions, this one first, with device and times, and nothing that could sign in [R1]", async () => {
  const user = await newUser(server);
  await newUser(server);
  await secondDevice(user, 'Ended');
  await sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${user.id} AND id <> ${(await list(user))[0]?.id}`.execute(
    db,
  );
  const phone = await secondDevice(user);
  const sessions = await list(user);
  expect(sessions).toEqual([
    expect.objectContaining({ device: 'Unknown browser', isCurrent: true }),
    expect.objectContaining({ device: 'Chrome on Android', isCurrent: false }),
  ]);
  for (const session of sessions) {
    expect(Object.keys(session).sort()).toEqual(['device', 'id', 'isCurrent', 'lastSeenAt', 'signedInAt']);
    expect(Math.abs(Date.parse(session.signedInAt) - Date.now())).toBeLessThan(60_000);
  }
  expect((await list(phone)).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  expect((await list(phone)).map(({ id }) => id)).toEqual(sessions.map(({ id }) => id).toReversed());
});

test('every server refuses a session that its user ended, votes included, and the others continue [R1]', async () => {
  const [one, two] = await Promise.all([startServer(server.databaseUrl), startServer(server.databaseUrl)]);
  try {
    const [projectId] = await insertProjects(db, 1);
    const user = await newUser(one);
    const phone = await secondDevice(user);
    const elsewhere = Object.assign(new Client(two.url), { id: user.id, cookie: phone.cookie }) as TestUser;
    // Both servers have cached the session.
    for (let i = 0; i < 3; i += 1) expect(await isSignedIn(elsewhere)).toBe(true);
    expect(await isSignedIn(phone)).toBe(true);
    const other = (await list(user)).find(({ isCurrent }) => !isCurrent);
    expect((await user.send('DELETE', `/api/auth/sessions/${other?.id}`)).body).toEqual({ success: true });
    expect(await isSignedIn(phone)).toBe(false);
    await vi.waitFor(async () => expect(await isSignedIn(elsewhere)).toBe(false), PATIENCE);
    const vote = await elsewhere.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
    expect(vote).toMatchObject({ status: 401, body: { error: 'not_signed_in' } });
    expect(await isSignedIn(user)).toBe(true);
    expect(await list(user)).toHaveLength(1);
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});

test('a session of another user cannot be ended: 404, as for a session that does not exist [R3]', async () => {
  const [user, other] = [await newUser(server), await newUser(server)];
  const [theirs] = await list(other);
  for (const id of [theirs?.id, '7f1c1f80-0000-4000-8000-000000000000'])
    expect(await user.send('DELETE', `/api/auth/sessions/${id}`)).toMatchObject({
      status: 404,
      body: { error: 'session_not_found' },
    });
  expect((await user.send('DELETE', '/api/auth/sessions/1')).status).toBe(400);
  expect(await isSignedIn(other)).toBe(true);
});

test('signing out everywhere ends all others, or all with this one, and deletes the cookie [R1]', async () => {
  const user = await newUser(server);
  const [phone, tablet] = [await secondDevice(user), await secondDevice(user)];
  expect((await user.send('DELETE', '/api/auth/sessions?keepCurrent=true')).status).toBe(200);
  expect([await isSignedIn(user), await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([true, false, false]);
  const laptop = await secondDevice(user);
  const { cookie } = user;
  expect((await user.send('DELETE', '/api/auth/sessions')).status).toBe(200);
  expect(user.cookie).toBe('');
  user.cookie = cookie;
  expect([await isSignedIn(user), await isSignedIn(laptop)]).toEqual([false, false]);
});

test('ending the current session in the list signs out: the cookie is deleted, too', async () => {
  const user = await newUser(server);
  const [own] = await list(user);
  await user.send('DELETE', `/api/auth/sessions/${own?.id}`);
  expect(user.cookie).toBe('');
});

test('an admin token ends with the session that it is bound to, however that ends [R31]', async () => {
  const admin = await newUser(server, ADMIN_KEYPAIR);
  const desktop = await secondDevice(admin);
  const { body } = await desktop.post('/api/admin/login', {
    walletAddress: admin.address,
    password: 'correct horse battery staple',
  });
  const token = { 'x-admin-token': String(body.sessionToken) };
  expect((await desktop.get('/api/admin/audit', token)).status).toBe(200);
  await admin.send('DELETE', '/api/auth/sessions?keepCurrent=true');
  expect((await desktop.get('/api/admin/audit', token)).status).toBe(401);
  const { rows } = await sql<{ left: number }>`SELECT count(*)::int AS left FROM admin_sessions`.execute(db);
  expect(rows[0]?.left).toBe(0);
});

test(`keeps at most ${SESSIONS_PER_USER} sessions of a person, even when all sign in at once: the one unseen longest ends`, async () => {
  const user = await newUser(server);
  await sql`UPDATE sessions SET last_seen_at = now() - interval '3 days' WHERE user_id = ${user.id}`.execute(db);
  const more = await Promise.all(Array.from({ length: SESSIONS_PER_USER + 5 }, () => secondDevice(user)));
  expect(await isSignedIn(user)).toBe(false);
  const { rows } = await sql<{ live: number }>`
    SELECT count(*)::int AS live FROM sessions WHERE user_id = ${user.id}`.execute(db);
  expect(rows[0]?.live).toBe(SESSIONS_PER_USER);
  const alive = await Promise.all(more.map((client) => isSignedIn(client)));
  expect(alive.filter(Boolean)).toHaveLength(SESSIONS_PER_USER);
});

test('a session records when it was last seen once an hour, and never for a vote', async () => {
  const [projectId] = await insertProjects(db, 1);
  const user = await newUser(server);
  const age = async () => {
    const { rows } = await sql<{ seconds: number }>`
      SELECT extract(epoch FROM now() - last_seen_at)::int AS seconds FROM sessions WHERE user_id = ${user.id}`.execute(
      db,
    );
    return rows[0]?.seconds ?? -1;
  };
  const setAge = (interval: string) =>
    sql`UPDATE sessions SET last_seen_at = now() - ${interval}::interval WHERE user_id = ${user.id}`.execute(db);
  await setAge('2 hours');
  await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' });
  expect(await age()).toBeGreaterThan(7_000);
  await user.get(`/api/users/${user.id}`);
  await vi.waitFor(async () => expect(await age()).toBeLessThan(60), PATIENCE);
  await setAge('50 minutes');
  await user.get(`/api/users/${user.id}`);
  await user.get(`/api/users/${user.id}/stats`);
  await user.post('/api/auth/wallet', { walletAddress: user.address });
  expect(await age()).toBeGreaterThan(2_900);
});
