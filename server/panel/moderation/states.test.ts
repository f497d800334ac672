import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { isAllowed } from '#shared/states/move.ts';
import { PAYMENT_MOVES, PAYMENT_STATES, type PaymentState } from '#shared/states/payment.ts';
import { WITHDRAWAL_MOVES, WITHDRAWAL_STATES, type WithdrawalState } from '#shared/states/withdrawal.ts';
import { createTestApp } from '#lab/testing/app.ts';
import { insertUser } from '#lab/testing/builders.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { newWallet } from '#lab/testing/wallets.ts';

/** The admin's actions in each state follow the tables of shared/states: each pair of state and button is tried. */

const server = await createTestApp();
const { db } = server.services;
const panel = await signInAsAdmin(server);
const userId = await insertUser(db);
const digest = (): string => `digest-${newWallet().toSuiAddress().slice(2, 30)}`;

async function insertWithdrawal(state: WithdrawalState): Promise<number> {
  const { id } = await db
    .insertInto('withdrawals')
    .values({
      userId,
      walletAddress: newWallet().toSuiAddress(),
      tokenAmount: 50,
      state,
      digest: state === 'paid' ? digest() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function insertPayment(state: PaymentState): Promise<string> {
  const { id } = await db
    .insertInto('payments')
    .values({
      userId,
      purpose: 'renew',
      state,
      draft: JSON.stringify({}),
      orderHash: digest(),
      amountMist: 1,
      digest: digest(),
      chainId: 'chain',
      expiresAt: sql<Date>`now() + interval '1 hour'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const stateOf = async (table: 'withdrawals' | 'payments', id: string | number): Promise<string> => {
  const row = await db
    .selectFrom(table)
    .select('state')
    .where('id', '=', id as never)
    .executeTakeFirstOrThrow();
  return row.state;
};

describe.each(WITHDRAWAL_STATES)('a withdrawal that is %s', (state) => {
  test.each([
    ['approve', (id: number) => panel.post(`/api/admin/withdrawals/${id}/approve`)],
    ['reject', (id: number) => panel.post(`/api/admin/withdrawals/${id}/reject`, { reason: 'No' })],
    ['pay', (id: number) => panel.post('/api/admin/payouts/record', { withdrawalIds: [id], digest: 'D'.repeat(44) })],
  ] as const)('%s follows the table of moves', async (move, call) => {
    const id = await insertWithdrawal(state);
    const { status } = await call(id);
    const { to } = WITHDRAWAL_MOVES[move];
    const isDone = isAllowed(WITHDRAWAL_MOVES[move], state);
    expect({ isDone: status < 300, isRejected: status === 409, state: await stateOf('withdrawals', id) }).toEqual({
      isDone,
      isRejected: !isDone,
      state: isDone ? to : state,
    });
  });
});

describe.each(PAYMENT_STATES)('a payment that is %s', (state) => {
  test('a refund follows the table of moves', async () => {
    const id = await insertPayment(state);
    const { status } = await panel.post(`/api/admin/payments/${id}/resolve`, {
      resolution: 'refunded',
      note: 'Sent back',
    });
    const isDone = isAllowed(PAYMENT_MOVES.refund, state);
    expect(status).toBe(isDone ? 200 : 409);
    expect(await stateOf('payments', id)).toBe(isDone ? 'refunded' : state);
  });

  test('a credit follows the table of moves, and an order without a project keeps waiting', async () => {
    const id = await insertPayment(state);
    const { status, body } = await panel.post(`/api/admin/payments/${id}/resolve`, {
      resolution: 'credited',
      note: 'Applied',
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: isAllowed(PAYMENT_MOVES.credit, state) ? 'cannot_fulfil' : 'not_unclaimed' });
    expect(await stateOf('payments', id)).toBe(state);
  });
});
