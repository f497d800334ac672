import { describe, expect, test } from 'vitest';
import { SESSIONS_PER_USER } from '#shared/constants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens, insertProject } from '#lab/testing/builders.ts';
import { Client, newUser, signInWith, type TestUser } from '#lab/testing/client.ts';
import { insertNotices } from '#lab/testing/lists.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { newWallet } from '#lab/testing/wallets.ts';

/*
 * A server also learns of its own writes by the database's notifications, within a millisecond or so: a test could not tell whether it
 * waits for them. This server caches and receives no notification, so that it can only show at once what it has invalidated itself.
 */
const server = await createTestApp({ cache: false, undoWindowMs: 86_400_000 });
const { db, cache } = server.services;
cache.setValidUntil(Number.POSITIVE_INFINITY);

const visitor = new Client(server.url);
const read = async (client: Client, path: string): Promise<string> => JSON.stringify((await client.get(path)).body);
const statusOf = async (user: TestUser): Promise<number> => (await user.get(`/api/users/${user.id}/stats`)).status;

/** One more session of the same person, which the server knows by heart. */
async function secondDevice(user: TestUser): Promise<TestUser> {
  const client = new Client(server.url);
  await signInWith(client, user.wallet);
  const device = Object.assign(client, { id: user.id, address: user.address, wallet: user.wallet });
  expect(await statusOf(device)).toBe(200);
  return device;
}

test('the cache is in use: what is written past the server is not seen', async () => {
  const before = await read(visitor, '/api/projects');
  await insertProject(db, { name: 'Written past it' });
  expect(await read(visitor, '/api/projects')).toBe(before);
  cache.invalidateAll();
  expect(await read(visitor, '/api/projects')).toContain('Written past it');
});

describe('a session that ends here is over here with the response [R1]', () => {
  test('by signing out', async () => {
    const user = await newUser(server);
    expect(await statusOf(user)).toBe(200);
    const { cookie } = user;
    await user.post('/api/auth/logout');
    user.cookie = cookie;
    expect(await statusOf(user)).toBe(401);
  });

  test('by deleting the account [R55]', async () => {
    const user = await newUser(server);
    const phone = await secondDevice(user);
    expect((await deleteAccount(user)).status).toBe(200);
    expect(await statusOf(phone)).toBe(401);
  });

  test('by signing in with another wallet', async () => {
    const user = await newUser(server);
    expect(await statusOf(user)).toBe(200);
    const { cookie, id, address, wallet } = user;
    const old = Object.assign(new Client(server.url), { cookie, id, address, wallet });
    await signInWith(user, newWallet());
    expect(await statusOf(old)).toBe(401);
  });

  test('by its line in the list, and by signing out everywhere', async () => {
    const user = await newUser(server);
    const [phone, tablet] = [await secondDevice(user), await secondDevice(user)];
    const { body } = await phone.get<Array<{ id: string; isCurrent: boolean }>>('/api/auth/sessions');
    await user.send('DELETE', `/api/auth/sessions/${body.find(({ isCurrent }) => isCurrent)?.id}`);
    expect([await statusOf(phone), await statusOf(tablet)]).toEqual([401, 200]);
    await user.send('DELETE', '/api/auth/sessions?keepCurrent=true');
    expect([await statusOf(tablet), await statusOf(user)]).toEqual([401, 200]);
  });

  test('by too many others of the same person', async () => {
    const user = await newUser(server);
    expect(await statusOf(user)).toBe(200);
    for (let count = 0; count < SESSIONS_PER_USER; count += 1) await secondDevice(user);
    expect(await statusOf(user)).toBe(401);
  });
});

describe('users see what they have written in their next read', () => {
  test("a vote shows at once in the voter's counters and in the rest of the window [S4.5]", async () => {
    const user = await newUser(server);
    const paths = ['stats', 'voting-status'].map((name) => `/api/users/${user.id}/${name}`);
    const projectId = await insertProject(db);
    for (const path of paths) expect((await user.get(path)).body).toMatchObject({ totalVotes: 0 });
    expect((await user.post('/api/votes', { userId: user.id, projectId, voteType: 'bullish' })).status).toBe(200);
    for (const path of paths) expect((await user.get(path)).body).toMatchObject({ totalVotes: 1 });
    expect((await user.send('DELETE', `/api/votes/${projectId}`)).status).toBe(200);
    for (const path of paths) expect((await user.get(path)).body).toMatchObject({ totalVotes: 0 });
  });

  test('a review in the list of the project, and its burn in the balance [S5.6]', async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 10_000);
    const projectId = await insertProject(db);
    const [reviews, stats] = [`/api/projects/${projectId}/reviews`, `/api/users/${user.id}/stats`];
    expect(await read(user, reviews)).toBe('[]');
    expect((await user.get(stats)).body).toMatchObject({ tokenBalance: 10_000 });
    expect((await user.post(reviews, { userId: user.id, content: 'Seen at once' })).status).toBe(201);
    expect(await read(user, reviews)).toContain('Seen at once');
    expect((await user.get(stats)).body).toMatchObject({ tokenBalance: 0 });
  });

  test("a new name shows at once beside the user's reviews and among the top voters [S7.9]", async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 10_000);
    const projectId = await insertProject(db);
    const paths = [`/api/projects/${projectId}/reviews`, '/api/leaderboard'];
    await user.post(`/api/projects/${projectId}/reviews`, { userId: user.id, content: 'By a user' });
    cache.invalidateAll();
    for (const path of paths) expect(await read(user, path)).not.toContain('just_renamed');
    expect((await user.patch(`/api/users/${user.id}`, { username: 'just_renamed' })).status).toBe(200);
    for (const path of paths) expect(await read(user, path)).toContain('just_renamed');
  });

  test('the bell that was opened counts nothing unread, and no list was read again for it', async () => {
    const user = await newUser(server);
    await insertNotices(db, user.id, 3);
    const notices = `/api/users/${user.id}/notices`;
    const lists = ['/api/leaderboard', '/api/projects', '/api/projects/leaderboard/all'];
    const before = await Promise.all(lists.map((path) => read(visitor, path)));
    const [unread] = [(await user.get<{ unread: number; notices: Array<{ id: number }> }>(notices)).body];
    expect(unread.unread).toBe(3);
    await insertProject(db, { name: 'Listed past the server' });
    expect((await user.post(`${notices}/read`, { upTo: unread.notices[0]?.id })).status).toBe(200);
    expect((await user.get(notices)).body).toMatchObject({ unread: 0 });
    expect(await Promise.all(lists.map((path) => read(visitor, path)))).toEqual(before);
    cache.invalidateAll();
  });

  test('a project that the admin hides is gone from every public list and every deck', async () => {
    const name = 'Hidden at once';
    const projectId = await insertProject(db, { name });
    const panel = await signInAsAdmin(server);
    cache.invalidateAll();
    const user = await newUser(server);
    const paths = ['/api/projects', '/api/projects/leaderboard/all', `/api/projects?userId=${user.id}`];
    for (const path of paths) expect(await read(user, path)).toContain(name);
    const hidden = await panel.post(`/api/admin/projects/${projectId}/moderate`, { hidden: true, reason: 'Spam' });
    expect(hidden.status).toBe(200);
    for (const path of paths) expect(await read(user, path)).not.toContain(name);
  });
});
