import { beforeEach, expect, test } from 'vitest';
import type { Supply } from '#shared/contract/supply.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { closeToday } from '#lab/testing/close.ts';
import { empty, grantTokens, insertProject } from '#lab/testing/builders.ts';
import { Client, newUser } from '#lab/testing/client.ts';
import { letStand } from '#lab/testing/standing.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { findSupply } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;
beforeEach(() => empty(db));

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

test('every token of the closed day is accounted for: votes, grants, a review, withdrawals held, paid and rejected [R13 R14 R94]', async () => {
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
  const before = await findSupply(db);
  const day = await closeToday(server.services);
  // The next day has begun.
  await withdraw(50);
  const supply = await findSupply(db);
  expect(before).toMatchObject({ day: null, issued: 0 });
  expect(supply).toMatchObject({
    day,
    issued: 12_590,
    // All but a vote of each.
    granted: 12_560,
    burned: 10_000,
    held: 150,
    paid: 70,
    circulating: 2_370,
    liabilities: 2_520,
    balances: 2_370,
    holders: 2,
  });
  expect(await findDifferences(db)).toEqual([]);
});
