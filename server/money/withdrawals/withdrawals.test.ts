import { describe, expect, test } from 'vitest';
import type { UserStats } from '#shared/contract/types.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { grantTokens } from '#lab/testing/builders.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { letStand } from '#lab/testing/standing.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';

const server = await createTestApp();
const { db } = server.services;

interface Requested {
  withdrawal: Withdrawal;
  userStats: UserStats;
}

/** A user with tokens whose wallet has standing, so that several withdrawals may be open. */
async function holder(tokens: number): Promise<TestUser> {
  const user = await newUser(server);
  await grantTokens(db, user.id, tokens);
  await letStand(db, user.id);
  return user;
}

function withdraw(user: TestUser, tokenAmount: number, headers: Record<string, string> = {}) {
  return user.post<Requested>(
    '/api/withdrawals',
    { userId: user.id, walletAddress: user.address, tokenAmount },
    headers,
  );
}

const list = (user: TestUser) =>
  user.get<{ paused: boolean; withdrawals: Withdrawal[] }>('/api/withdrawals').then(({ body }) => body);

async function balanceOf(user: TestUser): Promise<number> {
  const row = await db
    .selectFrom('userStats')
    .select('balance')
    .where('userId', '=', user.id)
    .executeTakeFirstOrThrow();
  return row.balance;
}

/** Balances, counters, ledger and withdrawals agree in every number (R13). */
async function expectBooksToBalance(): Promise<void> {
  expect(await findDifferences(db)).toEqual([]);
}

test('a request holds the tokens immediately: balance, ledger, list and activity [S7.19 R13 R14]', async () => {
  const user = await holder(120);
  const response = await withdraw(user, 70);
  expect(response.status).toBe(201);
  expect(response.body.withdrawal).toMatchObject({
    tokenAmount: 70,
    walletAddress: user.address,
    state: 'requested',
    digest: null,
    reason: null,
  });
  expect(response.body.userStats.tokenBalance).toBe(50);
  // Two at a time are allowed with standing, down to zero.
  expect((await withdraw(user, 50)).body.userStats.tokenBalance).toBe(0);
  expect(await list(user)).toMatchObject({
    paused: false,
    withdrawals: [{ tokenAmount: 50 }, { id: response.body.withdrawal.id }],
  });
  const ledger = await db
    .selectFrom('tokenLedger')
    .selectAll()
    .where('userId', '=', user.id)
    .where('kind', '=', 'withdrawal_hold')
    .orderBy('ref')
    .execute();
  expect(ledger).toMatchObject([{ ref: response.body.withdrawal.id, amount: -70 }, { amount: -50 }]);
  const activity = await user.get(`/api/users/${user.id}/activity`);
  expect(activity.body).toMatchObject([
    { kind: 'withdrawal_requested', tokens: -50 },
    { kind: 'withdrawal_requested', tokens: -70, text: 'Withdrawal of 70 Snaps requested' },
  ]);
  await expectBooksToBalance();
});

describe('withdrawal amounts [S5.5 S9.6 R14]', () => {
  const send = (user: TestUser, amount: string) =>
    user.post('/api/withdrawals', `{"userId":${user.id},"walletAddress":"${user.address}","tokenAmount":${amount}}`);

  test.each(['49', '0', '-50', '"60"', 'null', '[60]', 'true', '9007199254740992', '1e999', '-1e999', '50.5'])(
    'a withdrawal of %s gets 400, and nothing is held',
    async (amount) => {
      const user = await holder(1000);
      const isNotWhole = amount === '50.5' || amount === '1e999';
      const detail = isNotWhole ? 'Enter whole Snaps, in digits only' : 'Minimum withdrawal is 50 tokens';
      expect(await send(user, amount)).toMatchObject({
        status: 400,
        body: { error: 'invalid_amount', message: 'Invalid amount', field: 'tokenAmount', detail },
      });
      expect(await balanceOf(user)).toBe(1000);
    },
  );

  test('a withdrawal of NaN, which is not JSON, gets 400', async () => {
    expect((await send(await holder(1000), 'NaN')).status).toBe(400);
  });

  test('a withdrawal of more than the balance gets 400 Insufficient balance with the balance', async () => {
    const user = await holder(60);
    const response = await withdraw(user, 61);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      error: 'insufficient_balance',
      message: 'Insufficient balance. You only have 60 tokens',
    });
    expect(await balanceOf(user)).toBe(60);
    expect((await list(user)).withdrawals).toEqual([]);
  });

  test('a withdrawal of 50.0 is one of 50', async () => {
    expect((await send(await holder(50), '50.0')).status).toBe(201);
  });
});

test('16 simultaneous requests with tokens for seven: exactly seven succeed, and the books are exact [R13 R14]', async () => {
  const user = await holder(7 * 60 + 59);
  const responses = await Promise.all(Array.from({ length: 16 }, () => withdraw(user, 60)));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(7);
  const refused = responses.filter(({ status }) => status === 400);
  expect(refused).toHaveLength(9);
  for (const { body } of refused)
    expect(body).toMatchObject({ message: 'Insufficient balance. You only have 59 tokens' });
  expect(await balanceOf(user)).toBe(59);
  expect((await list(user)).withdrawals).toHaveLength(7);
  await expectBooksToBalance();
});

describe('Idempotency-Key [R14]', () => {
  test('16 simultaneous requests with the same key make one withdrawal, with the same response to all', async () => {
    const user = await holder(500);
    const responses = await Promise.all(
      Array.from({ length: 16 }, () => withdraw(user, 80, { 'idempotency-key': 'one-and-only' })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => body.withdrawal.id)).size).toBe(1);
    expect(await balanceOf(user)).toBe(420);
    await expectBooksToBalance();
  });

  test('rejects a used key for another amount with 409, and accepts it from another user', async () => {
    const [user, other] = [await holder(500), await holder(500)];
    const first = await withdraw(user, 80, { 'idempotency-key': 'k' });
    for (const amount of [79, 90])
      expect(await withdraw(user, amount, { 'idempotency-key': 'k' })).toMatchObject({
        status: 409,
        body: { error: 'idempotency_key_used' },
      });
    const second = await withdraw(other, 80, { 'idempotency-key': 'k' });
    expect(second.status).toBe(201);
    expect(second.body.withdrawal.id).not.toBe(first.body.withdrawal.id);
  });

  test('a retry after a pause returns the request from before it', async () => {
    const user = await holder(500);
    const panel = await signInAsAdmin(server);
    const first = await withdraw(user, 80, { 'idempotency-key': 'before' });
    await panel.post('/api/admin/config', { configKey: 'WITHDRAWALS_PAUSED', configValue: 'true' });
    const retry = await withdraw(user, 80, { 'idempotency-key': 'before' });
    await panel.post('/api/admin/config', { configKey: 'WITHDRAWALS_PAUSED', configValue: 'false' });
    expect(retry.status).toBe(201);
    expect(retry.body.withdrawal.id).toBe(first.body.withdrawal.id);
  });

  test.each(['', 'a b', 'x'.repeat(201), 'tab\tkey'])('the Idempotency-Key %j is refused', async (key) => {
    const user = await holder(100);
    expect(await withdraw(user, 80, { 'idempotency-key': key })).toMatchObject({
      status: 400,
      body: { error: 'invalid_idempotency_key' },
    });
    expect(await balanceOf(user)).toBe(100);
  });

  test('an Idempotency-Key of 200 visible characters is accepted', async () => {
    expect((await withdraw(await holder(100), 80, { 'idempotency-key': '!~'.repeat(100) })).status).toBe(201);
  });
});

test('a user withdraws only their own Snaps, to their own wallet [R3 R14]', async () => {
  const [user, other] = [await holder(500), await holder(500)];
  const send = (body: object) => user.post('/api/withdrawals', { tokenAmount: 60, ...body });
  expect((await send({ userId: other.id, walletAddress: user.address })).status).toBe(403);
  expect((await send({ userId: user.id, walletAddress: other.address })).status).toBe(403);
  expect((await new Client(server.url).post('/api/withdrawals', { tokenAmount: 60 })).status).toBe(401);
  expect(await balanceOf(user)).toBe(500);
  expect((await withdraw(other, 60)).status).toBe(201);
  expect((await list(user)).withdrawals).toEqual([]);
});

test('a pause rejects withdrawals with 403, and is shown before; earning continues, and no later request bypasses it [S4.8 S3.10 R14]', async () => {
  const panel = await signInAsAdmin(server);
  const users = await Promise.all(Array.from({ length: 8 }, () => holder(100)));
  const pause = (configValue: string) =>
    panel.post('/api/admin/config', { configKey: 'WITHDRAWALS_PAUSED', configValue });
  const granted = async () => {
    const ids = users.map(({ id }) => id);
    return (await db.selectFrom('withdrawals').select('id').where('userId', 'in', ids).execute()).length;
  };
  const requests = users.flatMap((user) => [withdraw(user, 50), withdraw(user, 50)]);
  const [grantedWhenPaused, responses] = await Promise.all([pause('true').then(granted), Promise.all(requests)]);
  expect(await granted()).toBe(grantedWhenPaused);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(grantedWhenPaused);
  // Every request after the pause was confirmed is refused, with a message.
  const [user] = users;
  if (!user) throw new Error('no user');
  const refused = await Promise.all(users.map((one) => withdraw(one, 50)));
  for (const response of refused)
    expect(response).toMatchObject({
      status: 403,
      body: { error: 'withdrawals_paused', message: 'Withdrawals are paused' },
    });
  expect(await list(user)).toMatchObject({ paused: true });
  await grantTokens(db, user.id, 50);
  await pause('false');
  expect(await list(user)).toMatchObject({ paused: false });
  expect((await withdraw(user, 50)).status).toBe(201);
  await expectBooksToBalance();
});
