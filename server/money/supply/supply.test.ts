import { beforeEach, expect, test } from 'vitest';
import type { Supply } from '#shared/contract/supply.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { empty, grantTokens, insertProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { letStand } from '#lab/testing/standing.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { findSupply } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
beforeEach(() => empty(db));

const adds = ({ issued, burned, held, paid, circulating }: Supply) => burned + held + paid + circulating === issued;

test('the public supply of an empty ledger is zero [R13]', async () => {
  const { status, body } = await new Client(server.url).get<Supply>('/api/supply');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    issued: 0,
    granted: 0,
    burned: 0,
    held: 0,
    paid: 0,
    circulating: 0,
    liabilities: 0,
    holders: 0,
    entries: 0,
  });
});

test('every token is accounted for: votes, a review, withdrawals held, paid and rejected [R13 R14]', async () => {
  const panel = await signInAsAdmin(server);
  const [one, two, spent] = [await newUser(server), await newUser(server), await newUser(server)];
  await grantTokens(db, one.id, 12_000);
  await grantTokens(db, two.id, 500);
  await letStand(db, two.id);
  await grantTokens(db, spent.id, 90);
  const withdraw = async (tokenAmount: number, user = two) =>
    (
      await user.post<{ withdrawal: { id: number } }>('/api/withdrawals', {
        userId: user.id,
        walletAddress: user.address,
        tokenAmount,
      })
    ).body.withdrawal.id;
  // A user without tokens left is not counted.
  await withdraw(90, spent);
  const [held, paid, rejected] = [await withdraw(60), await withdraw(70), await withdraw(80)];
  await one.post(`/api/projects/${await insertProject(db)}/reviews`, { userId: one.id, content: 'Burns 10000' });
  await panel.post(`/api/admin/withdrawals/${rejected}/reject`, { reason: 'no' });
  await panel.post(`/api/admin/withdrawals/${paid}/approve`);
  const digest = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
  await panel.post('/api/admin/payouts/record', { withdrawalIds: [paid], digest });
  expect(held).toBeGreaterThan(0);
  const supply = await findSupply(db);
  expect(supply).toMatchObject({
    issued: 12_590,
    granted: 0,
    burned: 10_000,
    held: 150,
    paid: 70,
    circulating: 2_370,
    liabilities: 2_520,
    holders: 2,
  });
  expect(adds(supply)).toBe(true);
  expect(await findDifferences(db)).toEqual([]);
});

test('the supply adds up at every moment while tokens move [R13]', async () => {
  const users = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const user = await newUser(server);
      await grantTokens(db, user.id, 30_000);
      await letStand(db, user.id);
      return user;
    }),
  );
  const over = new AbortController();
  const moving = users.map(async (user) => {
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: 50 };
    while (!over.signal.aborted) expect((await user.post('/api/withdrawals', body)).status).toBe(201);
  });
  const seen: Supply[] = [];
  const heldSums = () => new Set(seen.map(({ held }) => held)).size;
  while (seen.length < 10 || heldSums() < 5) seen.push(await findSupply(db));
  over.abort();
  await Promise.all(moving);
  expect(seen.every(adds)).toBe(true);
  expect(new Set(seen.map(({ issued }) => issued)).size).toBe(1);
});
