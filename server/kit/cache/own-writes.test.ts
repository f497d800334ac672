import { expect, test } from 'vitest';
import { SESSIONS_PER_USER } from '#shared/constants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject } from '#lab/testing/builders.ts';
import { Client, newUser, signInWith, type TestUser } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { newWallet } from '#lab/testing/wallets.ts';

/*
 * A server also learns of its own writes by the database's notifications, within a millisecond or so: a test could not tell whether it
 * waits for them. This server caches and receives no notification, so that it can only show at once what it has invalidated itself.
 */
const server = await createTestApp({ cache: false });
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

test('a sign-out ends a cached session with its response [R1]', async () => {
  const user = await newUser(server);
  expect(await statusOf(user)).toBe(200);
  const { cookie } = user;
  await user.post('/api/auth/logout');
  user.cookie = cookie;
  expect(await statusOf(user)).toBe(401);
});

test('deleting an account ends its cached sessions with the response [R55]', async () => {
  const user = await newUser(server);
  const phone = await secondDevice(user);
  expect((await deleteAccount(user)).status).toBe(200);
  expect(await statusOf(phone)).toBe(401);
});

test('a sign-in with another wallet ends the previous cached session [R1]', async () => {
  const user = await newUser(server);
  expect(await statusOf(user)).toBe(200);
  const { cookie, id, address, wallet } = user;
  const old = Object.assign(new Client(server.url), { cookie, id, address, wallet });
  await signInWith(user, newWallet());
  expect(await statusOf(old)).toBe(401);
});

test('a user ends one cached session, and all others, with the response [R1]', async () => {
  const user = await newUser(server);
  const [phone, tablet] = [await secondDevice(user), await secondDevice(user)];
  const { body } = await phone.get<Array<{ id: string; isCurrent: boolean }>>('/api/auth/sessions');
  await user.send('DELETE', `/api/auth/sessions/${body.find(({ isCurrent }) => isCurrent)?.id}`);
  expect([await statusOf(phone), await statusOf(tablet)]).toEqual([401, 200]);
  await user.send('DELETE', '/api/auth/sessions?keepCurrent=true');
  expect([await statusOf(tablet), await statusOf(user)]).toEqual([401, 200]);
});

test('a cached session ends with one sign-in too many of its user [R1]', async () => {
  const user = await newUser(server);
  expect(await statusOf(user)).toBe(200);
  for (let count = 0; count < SESSIONS_PER_USER; count += 1) await secondDevice(user);
  expect(await statusOf(user)).toBe(401);
});
