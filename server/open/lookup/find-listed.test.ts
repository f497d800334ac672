import { expect, test } from 'vitest';
import type { ListedAlready } from '#shared/contract/projects.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertProject, setProject, slugOf } from '#lab/testing/builders.ts';
import { Client } from '#lab/testing/client.ts';

const server = await createTestApp();
const { db } = server.services;
const visitor = new Client(server.url);
const find = async (query: Record<string, string>) =>
  (await visitor.get<ListedAlready[]>(`/api/v1/listed?${new URLSearchParams(query).toString()}`)).body;

const PACKAGE = `0x${'a1'.repeat(32)}`;
const COIN = `${PACKAGE}::anchor::ANCHOR`;
const unclaimed = await insertProject(db, { name: 'Anchor Yield' });
await setProject(db, unclaimed, { isCatalogue: true, coinSource: 'catalogue', coinType: COIN });
const paid = await insertProject(db, { name: 'Tidal Works' });
await insertProject(db, { name: 'Hidden Cove', hidden: true });

test.each([
  ['its name in any case', { name: ' ANCHOR  yield ' }, 'name'],
  ['its coin in any spelling', { coin: `0x${PACKAGE.slice(2).toUpperCase()}::anchor::ANCHOR` }, 'coin'],
  ['its package', { package: PACKAGE }, 'package'],
  ['name and coin, once', { name: 'Anchor Yield', coin: COIN }, 'name'],
])('finds an unclaimed listing by %s [R72]', async (_what, query: Record<string, string>, by) => {
  expect(await find(query)).toMatchObject([
    { by, name: 'Anchor Yield', slug: await slugOf(db, unclaimed), isClaimable: true },
  ]);
});

test('finds a name that looks the same, but neither hidden listings nor the one that is left out [R74 R72]', async () => {
  expect(await find({ name: 'TidaI W0rks' })).toMatchObject([{ by: 'look', name: 'Tidal Works', isClaimable: true }]);
  expect(await find({ name: 'Tidal Works', except: String(paid) })).toEqual([]);
  expect(await find({ name: 'Hidden Cove' })).toEqual([]);
  expect(await find({ name: '', coin: 'no coin' })).toEqual([]);
  expect((await visitor.get(`/api/v1/listed?name=${'x'.repeat(201)}`)).status).toBe(400);
});
