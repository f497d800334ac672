import { expect, test } from 'vitest';
import type { Supply } from '#shared/contract/supply.ts';
import { checkInvariants } from '../jobs/check-invariants.ts';
import { createTestApp } from '../testing/app.ts';
import { behindTheTriggers, grantTokens, insertProject, insertUser } from '../testing/builders.ts';
import { Client, newUser } from '../testing/client.ts';
import { openDesk } from '../testing/desk.ts';
import { findSupply } from './queries.ts';

const server = await createTestApp();
const { db } = server.services;

const adds = ({ issued, burned, held, paid, circulating }: Supply) => burned + held + paid + circulating === issued;

test('[R13] an empty ledger has nothing, publicly', async () => {
  const { status, body } = await new Client(server.url).get<Supply>('/api/supply');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    issued: 0,
    burned: 0,
    held: 0,
    paid: 0,
    circulating: 0,
    liabilities: 0,
    holders: 0,
    entries: 0,
  });
});

test('[R13 R14] every token is somewhere: votes, a review, withdrawals held, paid and rejected', async () => {
  const desk = await openDesk(server);
  const [one, two] = [await newUser(server), await newUser(server)];
  await grantTokens(db, one.id, 12_000);
  await grantTokens(db, two.id, 500);
  const withdraw = async (tokenAmount: number) =>
    (
      await two.post<{ withdrawal: { id: number } }>('/api/withdrawals', {
        userId: two.id,
        walletAddress: two.address,
        tokenAmount,
      })
    ).body.withdrawal.id;
  const [held, paid, rejected] = [await withdraw(60), await withdraw(70), await withdraw(80)];
  await one.post(`/api/projects/${await insertProject(db)}/reviews`, { userId: one.id, content: 'Burns 10000' });
  await desk.post(`/api/admin/withdrawals/${rejected}/reject`, { reason: 'no' });
  await desk.post(`/api/admin/withdrawals/${paid}/approve`);
  const batch = await desk.post<{ batchId: string }>('/api/admin/payouts', { withdrawalIds: [paid] });
  await desk.post(`/api/admin/payouts/${batch.body.batchId}/execute`, {
    transactionHash: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  });
  expect(held).toBeGreaterThan(0);
  const supply = await findSupply(db);
  expect(supply).toMatchObject({
    issued: 12_500,
    burned: 10_000,
    held: 60,
    paid: 70,
    circulating: 2_370,
    liabilities: 2_430,
    holders: 2,
  });
  expect(adds(supply)).toBe(true);
  expect(await checkInvariants(server.services)).toEqual([]);
});

test('[R13] one snapshot: it adds up at every moment while tokens move', async () => {
  const users = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const user = await newUser(server);
      await grantTokens(db, user.id, 5_000);
      return user;
    }),
  );
  const moving = Promise.all(
    users.flatMap((user) =>
      Array.from({ length: 15 }, () =>
        user.post('/api/withdrawals', { userId: user.id, walletAddress: user.address, tokenAmount: 50 }),
      ),
    ),
  );
  const ended = new AbortController();
  void moving.then(() => ended.abort());
  const seen: Supply[] = [];
  while (!ended.signal.aborted) seen.push(await findSupply(db));
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.every(adds)).toBe(true);
  expect(new Set(seen.map(({ issued }) => issued)).size).toBe(1);
  expect(new Set(seen.map(({ held }) => held)).size).toBeGreaterThan(1);
});

test('[R13] the invariant check finds what does not add up, each in words, and reports it', async () => {
  const errors: object[] = [];
  const check = () =>
    checkInvariants({
      db,
      log: { error: (facts: object) => errors.push(facts), warn: () => undefined, info: () => undefined },
    });
  const userId = await insertUser(db);
  await grantTokens(db, userId, 1_000);
  expect(await check()).toEqual([]);

  await behindTheTriggers(db, (trx) =>
    trx.updateTable('userStats').set({ balance: 999 }).where('userId', '=', userId).execute(),
  );
  expect(await check()).toEqual([`user ${userId}: balance 999, ledger 1000`]);
  expect(errors).toEqual([{ difference: `user ${userId}: balance 999, ledger 1000` }]);
  await db.updateTable('userStats').set({ balance: 1_000, total: 7 }).where('userId', '=', userId).execute();
  expect(await check()).toMatchObject([expect.stringContaining(`user ${userId}: counters 7 votes`)]);
  await db.updateTable('userStats').set({ total: 1 }).where('userId', '=', userId).execute();

  const project = await insertProject(db, { bullish: 3 });
  expect(await check()).toEqual([`project ${project}: counters 3 bullish, 0 bearish; votes 0, 0`]);
  await db.updateTable('projectStats').set({ bullish: 0 }).where('projectId', '=', project).execute();

  // Marked paid by hand, without the ledger.
  const { id } = await db
    .insertInto('withdrawals')
    .values({ userId, walletAddress: '0x1', tokenAmount: 50 })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect(await check()).toEqual([`withdrawal ${id} (requested of 50 tokens): ledger holds 0, releases 0, pays 0`]);
  await db.deleteFrom('withdrawals').where('id', '=', id).execute();
  await behindTheTriggers(db, (trx) =>
    trx
      .insertInto('tokenLedger')
      .values({ userId, kind: 2, ref: 999_999, amount: -10, createdAt: new Date() })
      .execute(),
  );
  expect(await check()).toEqual([
    `user ${userId}: balance 1000, ledger 990`,
    `burn of user ${userId}: review 999999 does not exist`,
  ]);
});
