import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildPayout, type PayoutTerms } from '#chain/payout.ts';
import type { AdminWithdrawal, PayoutBatch } from '#shared/contract/admin.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { recoverPayouts } from '../../jobs/recover-payouts.ts';
import { findDifferences } from '../../ledger/check-invariants.ts';
import { createTestApp, startServer, type TestApp } from '../../testing/app.ts';
import { grantTokens, insertProject } from '../../testing/builders.ts';
import { newUser, type TestUser } from '../../testing/client.ts';
import { fund, startChain } from '../../testing/chain.ts';
import { type ChainFault, startChainProxy } from '../../testing/chain-proxy.ts';
import { type AdminPanel, signInAs, signInAsAdmin } from '../../testing/admin-panel.ts';
import { newWallet } from '../../testing/wallets.ts';
import { payingWallets } from '../roles.ts';

/** A separate chain of this file: it is stopped and slowed down here while other files use theirs. */
const chain = await startChain();
afterAll(() => chain.stop());

const adminKey = newWallet();
const ADMIN = adminKey.toSuiAddress();
const { accounts, demoCoin } = await fetchDemoAccounts(chain.faucetUrl);
const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
const UNIT = 10n ** BigInt(demoCoin.decimals);
const DAY_MS = 86_400_000;

/** Between this file's servers and its chain. */
const proxy = await startChainProxy(chain.rpcUrl);
afterAll(() => proxy.close());

const env = {
  SUI_RPC_URL: proxy.url,
  SUI_FAUCET_URL: chain.faucetUrl,
  ADMIN_WALLET: ADMIN,
  SNAPS_COIN_TYPE: demoCoin.coinType,
  SNAPS_DECIMALS: String(demoCoin.decimals),
};
const server = await createTestApp({ env });
const { db } = server.services;
/** The chain as other clients see it. */
const sui = chain.client;
let panel: AdminPanel;

/** Signs and executes; retried, because two of these may need the same coins. */
async function executeAs(key: Ed25519Keypair, make: () => Transaction): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const transaction = make();
      transaction.setSender(key.toSuiAddress());
      const bytes = await transaction.build({ client: sui });
      const { signature } = await key.signTransaction(bytes);
      const result = await sui.core.executeTransaction({ transaction: bytes, signatures: [signature] });
      if (result.FailedTransaction) throw new Error('failed on chain');
      return result.Transaction.digest;
    } catch (error) {
      if (attempt === 8) throw error;
    }
  }
}

const sendSnaps = (key: Ed25519Keypair, to: { address: string; units: bigint }[]) =>
  executeAs(key, () => {
    const transaction = new Transaction();
    for (const { address, units } of to)
      transaction.transferObjects([coinWithBalance({ type: demoCoin.coinType, balance: units })], address);
    return transaction;
  });

async function snapsOf(owner: string): Promise<bigint> {
  const { balance } = await sui.core.getBalance({ owner, coinType: demoCoin.coinType });
  return BigInt(balance.balance);
}

/** The admin's two largest coins of SUI; the first one twice where there is only one. */
async function suiCoins() {
  const { objects } = await sui.core.listCoins({ owner: ADMIN, coinType: '0x2::sui::SUI' });
  const [one, two = one] = objects
    .sort((a, b) => Number(BigInt(b.balance) - BigInt(a.balance)))
    .map(({ objectId, version, digest }) => ({ objectId, version, digest }));
  if (!one || !two) throw new Error('the admin has no SUI');
  return [one, two] as const;
}

beforeAll(async () => {
  await Promise.all([fund(chain, ADMIN), fund(chain, ADMIN)]);
  await sendSnaps(treasury, [
    { address: ADMIN, units: 30_000n * UNIT },
    { address: ADMIN, units: 70_000n * UNIT },
  ]);
  panel = await signInAsAdmin(server, adminKey);
});

beforeEach(async () => {
  proxy.heal();
  proxy.hidesChanges = false;
  await chain.control({ down: false, indexDelayMs: 0 });
});
afterEach(async () => {
  await chain.control({ down: false, indexDelayMs: 0 });
  const differences = await findDifferences(db);
  if (differences.length > 0) throw new Error(`the books contradict each other: ${differences.join('; ')}`);
});

interface Payee {
  user: TestUser;
  withdrawal: Withdrawal;
}

/** A user whose withdrawal is approved. */
async function payee(tokens: number, app: TestApp = server, at: AdminPanel = panel): Promise<Payee> {
  const user = await newUser(app);
  await grantTokens(app.services.db, user.id, tokens);
  const body = { userId: user.id, walletAddress: user.address, tokenAmount: tokens };
  const { withdrawal } = (await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body)).body;
  expect((await at.post(`/api/admin/withdrawals/${withdrawal.id}/approve`)).status).toBe(200);
  return { user, withdrawal };
}

/** Approved withdrawals of users of their own, each to one of the wallets; as `payee` makes them, all at once. */
async function approvedWithdrawals(wallets: string[], tokensOf: (n: number) => number): Promise<number[]> {
  const projectId = await insertProject(db, { bullish: wallets.length });
  const createdAt = new Date();
  const tokens = wallets.map((_, n) => tokensOf(n));
  return db.transaction().execute(async (trx) => {
    const users = await trx
      .insertInto('users')
      .values(wallets.map(() => ({ walletAddress: newWallet().toSuiAddress() })))
      .returning('id')
      .execute();
    const rows = users.map(({ id: userId }, n) => ({ userId, amount: tokens[n] ?? 0, wallet: wallets[n] ?? '' }));
    await trx
      .insertInto('userStats')
      .values(rows.map(({ userId, amount }) => ({ userId, totalVotes: 1, bullish: 1, tokensEarned: amount })))
      .execute();
    await trx
      .insertInto('votes')
      .values(rows.map(({ userId, amount }) => ({ userId, projectId, bullish: true, tokens: amount, createdAt })))
      .execute();
    const withdrawals = await trx
      .insertInto('withdrawals')
      .values(
        rows.map(({ userId, amount, wallet }) => ({
          userId,
          walletAddress: wallet,
          tokenAmount: amount,
          state: 'approved',
        })),
      )
      .returning(['id', 'userId', 'tokenAmount'])
      .execute();
    await trx
      .insertInto('tokenLedger')
      .values(
        withdrawals.map(({ id, userId, tokenAmount }) => ({
          userId,
          kind: 'withdrawal_hold' as const,
          ref: id,
          amount: -tokenAmount,
          createdAt,
        })),
      )
      .execute();
    return withdrawals.map(({ id }) => id);
  });
}

const prepare = (...payees: Payee[]) =>
  panel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: payees.map(({ withdrawal }) => withdrawal.id) });

async function prepared(...payees: Payee[]): Promise<PayoutBatch> {
  const response = await prepare(...payees);
  expect(response.status).toBe(201);
  return response.body;
}

const termsOf = (batch: PayoutBatch): PayoutTerms => ({
  sender: ADMIN,
  coinType: demoCoin.coinType,
  transfers: batch.recipients.map(({ walletAddress, amountUnits }) => ({
    address: walletAddress,
    amountUnits: BigInt(amountUnits),
  })),
});

async function sign(
  batch: PayoutBatch,
  change: (terms: PayoutTerms) => PayoutTerms = (terms) => terms,
  key: Ed25519Keypair = adminKey,
): Promise<{ bytes: string; signature: string }> {
  const transaction = await buildPayout(sui, change(termsOf(batch)));
  const bytes = await transaction.build({ client: sui });
  const { signature } = await key.signTransaction(bytes);
  return { bytes: Buffer.from(bytes).toString('base64'), signature };
}

/** A transaction that pays the batch, and fails on chain for want of gas. */
async function signToFail(batch: PayoutBatch): Promise<{ bytes: string; signature: string }> {
  const transaction = await buildPayout(sui, termsOf(batch));
  const [gas] = await suiCoins();
  // Enough for the cheapest transaction, too little for this one.
  transaction.setGasBudget(1_100_000);
  transaction.setGasPrice(1_000);
  transaction.setGasPayment([gas]);
  return adminKey.signTransaction(await transaction.build());
}

const execute = (batch: PayoutBatch, body: object) =>
  panel.post<PayoutBatch & { error?: string; message?: string }>(`/api/admin/payouts/${batch.batchId}/execute`, body);

async function stateOf({ user, withdrawal }: Payee): Promise<Withdrawal> {
  const { body } = await user.get<{ withdrawals: Withdrawal[] }>('/api/withdrawals');
  const found = body.withdrawals.find(({ id }) => id === withdrawal.id);
  if (!found) throw new Error('the withdrawal is gone');
  return found;
}

/** Lines of the audit log about a transaction or a payout, newest first. */
async function auditOf(words: string): Promise<string[]> {
  const { body } = await panel.get<{ action: string; outcome: string }[]>(`/api/admin/audit?q=${words}`);
  return body.map(({ action, outcome }) => `${action} ${outcome}`);
}

const ledgerOf = ({ user, withdrawal }: Payee) =>
  db
    .selectFrom('tokenLedger')
    .select(['kind', 'amount'])
    .where('userId', '=', user.id)
    .where('ref', '=', withdrawal.id)
    .where('kind', 'in', ['withdrawal_hold', 'hold_release', 'payout'])
    .orderBy('kind')
    .execute();

describe('paid in one transaction [R33 R14]', () => {
  test('three recipients in one: coins in their wallets, the same digest, ledger and activity', async () => {
    const recipients = [await payee(50), await payee(75), await payee(1000)];
    const batch = await prepared(...recipients);
    expect(batch).toMatchObject({ state: 'prepared', coinType: demoCoin.coinType, digest: null });
    expect(batch.recipients.map(({ amountUnits }) => BigInt(amountUnits))).toEqual([
      50n * UNIT,
      75n * UNIT,
      1000n * UNIT,
    ]);
    for (const recipient of recipients) expect((await stateOf(recipient)).state).toBe('sending');

    const response = await execute(batch, await sign(batch));
    expect(response).toMatchObject({ status: 200, body: { state: 'paid', note: null } });
    const digest = response.body.digest ?? '';
    for (const recipient of recipients) {
      expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest });
      expect(await snapsOf(recipient.user.address)).toBe(BigInt(recipient.withdrawal.tokenAmount) * UNIT);
      const { tokenAmount } = recipient.withdrawal;
      expect(await ledgerOf(recipient)).toEqual([
        { kind: 'withdrawal_hold', amount: -tokenAmount },
        { kind: 'hold_release', amount: tokenAmount },
        { kind: 'payout', amount: -tokenAmount },
      ]);
      const activity = await recipient.user.get<{ kind: string; digest: string | null }[]>(
        `/api/users/${recipient.user.id}/activity`,
      );
      expect(activity.body[0]).toMatchObject({ kind: 'withdrawal_paid', digest });
      const told = await recipient.user.get<{ notices: unknown[] }>(`/api/users/${recipient.user.id}/notices`);
      expect(told.body.notices).toMatchObject([
        { kind: 'payout_paid', text: `Withdrawal of ${tokenAmount} Snaps paid to your wallet`, link: '/portfolio' },
      ]);
    }
    expect(await auditOf(digest)).toEqual(['payout.settle paid', 'payout.send ok']);
    // Settled payouts are no longer looked up.
    const { lookUp } = proxy.calls;
    expect(await recoverPayouts(server.services)).toBe(0);
    expect(proxy.calls.lookUp).toBe(lookUp);
  });

  test('200 recipients in one, two withdrawals of one wallet among them', async () => {
    const wallets = Array.from({ length: 199 }, () => newWallet().toSuiAddress());
    const ids = await approvedWithdrawals([...wallets, wallets[0] ?? ''], (n) => 50 + n);
    expect((await panel.post('/api/admin/payouts', { withdrawalIds: [...ids, 1] })).status).toBe(400);
    const batch = (await panel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: ids })).body;
    const response = await execute(batch, await sign(batch));
    expect(response.body).toMatchObject({ state: 'paid' });
    const states = await db.selectFrom('withdrawals').select('state').where('id', 'in', ids).execute();
    expect(states.every(({ state }) => state === 'paid')).toBe(true);
    expect(await snapsOf(wallets[0] ?? '')).toBe((50n + 249n) * UNIT);
  });
});

describe('anything but exactly these transfers is refused, and nothing is sent [R33]', () => {
  const PAYS_OTHERS = 'The transaction pays other wallets or other amounts';

  test.each<[what: string, reason: string, change: (terms: PayoutTerms) => PayoutTerms]>([
    [
      'one unit less',
      PAYS_OTHERS,
      (t) => ({ ...t, transfers: t.transfers.map((one) => ({ ...one, amountUnits: one.amountUnits - 1n })) }),
    ],
    [
      'one unit more',
      PAYS_OTHERS,
      (t) => ({ ...t, transfers: t.transfers.map((one) => ({ ...one, amountUnits: one.amountUnits + 1n })) }),
    ],
    ['one left out', PAYS_OTHERS, (t) => ({ ...t, transfers: t.transfers.slice(1) })],
    ['one twice', PAYS_OTHERS, (t) => ({ ...t, transfers: [...t.transfers, ...t.transfers] })],
    ['to the admin', PAYS_OTHERS, (t) => ({ ...t, transfers: t.transfers.map((one) => ({ ...one, address: ADMIN })) })],
    ['in SUI', 'The transaction pays in another coin', (t) => ({ ...t, coinType: '0x2::sui::SUI' })],
  ])('%s', async (_what, message, change) => {
    const recipients = [await payee(50), await payee(60)];
    const batch = await prepared(...recipients);
    const response = await execute(batch, await sign(batch, change));
    expect(response).toMatchObject({ status: 400, body: { error: 'not_this_payout', message } });
    for (const recipient of recipients) {
      expect((await stateOf(recipient)).state).toBe('sending');
      expect(await snapsOf(recipient.user.address)).toBe(0n);
    }
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  });

  test('another coin of the right shape, a stranger’s transaction, no transaction at all', async () => {
    const recipient = await payee(50);
    const batch = await prepared(recipient);
    // SUI coins that are not the gas coin look like any other coin in the bytes.
    await fund(chain, ADMIN);
    const [coin, gas] = await suiCoins();
    const transaction = new Transaction();
    transaction.setSender(ADMIN);
    transaction.setGasPayment([gas]);
    const parts = transaction.splitCoins(transaction.objectRef(coin), [50n * UNIT]);
    transaction.transferObjects([parts], recipient.user.address);
    const bytes = await transaction.build({ client: sui });
    const { signature } = await adminKey.signTransaction(bytes);
    const sent = { bytes: Buffer.from(bytes).toString('base64'), signature };
    expect(await execute(batch, sent)).toMatchObject({
      status: 400,
      body: { message: 'The transaction pays in another coin' },
    });
    for (const wrong of ['AAAA', '%%%'])
      expect(await execute(batch, { bytes: wrong, signature })).toMatchObject({
        status: 400,
        body: { error: 'not_this_payout', message: 'This is not a Sui transaction' },
      });
    const stranger = newWallet().toSuiAddress();
    await fund(chain, stranger);
    const foreign = await buildPayout(sui, { ...termsOf(batch), sender: stranger, coinType: '0x2::sui::SUI' });
    expect(
      await execute(batch, { bytes: Buffer.from(await foreign.build({ client: sui })).toString('base64'), signature }),
    ).toMatchObject({ status: 400, body: { message: 'The transaction is from another wallet' } });
    expect((await stateOf(recipient)).state).toBe('sending');
  });

  test('a signature of another key: not taken, nothing paid, approved again', async () => {
    const recipient = await payee(50);
    const batch = await prepared(recipient);
    const response = await execute(batch, await sign(batch, undefined, newWallet()));
    expect(response).toMatchObject({
      status: 400,
      body: {
        error: 'rejected',
        message:
          'The signature does not belong to this transaction and the admin wallet. Nothing was paid; prepare the payout again.',
      },
    });
    expect((await stateOf(recipient)).state).toBe('approved');
    expect((await auditOf(batch.batchId))[0]).toBe('payout.settle not taken by the chain');
    // And then it is paid, once.
    const again = await prepared(recipient);
    expect((await execute(again, await sign(again))).body).toMatchObject({ state: 'paid' });
    expect(await snapsOf(recipient.user.address)).toBe(50n * UNIT);
  });
});

describe('never twice [R33 R14]', () => {
  test('the same withdrawal in ten batches at once: in one', async () => {
    const [one, two] = [await payee(50), await payee(60)];
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? prepare(one, two) : prepare(two, one))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(
      (await panel.post('/api/admin/payouts', { withdrawalIds: [one.withdrawal.id, one.withdrawal.id] })).status,
    ).toBe(400);
  });

  test('the same transaction sent ten times at once, and once more: paid once', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    const responses = await Promise.all(Array.from({ length: 10 }, () => execute(batch, signed)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await execute(batch, signed)).body).toMatchObject({ state: 'paid' });
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    expect(await ledgerOf(recipient)).toHaveLength(3);
  });

  test('two transactions signed for one batch: only the first', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const first = await sign(batch);
    expect((await execute(batch, first)).body.state).toBe('paid');
    const second = await sign(batch);
    expect(second.bytes).not.toBe(first.bytes);
    expect((await execute(batch, second)).status).toBe(409);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('cancelled while the wallet was open: the signed transaction is no longer sent', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const sending = await stateOf(recipient);
    const signed = await sign(batch);
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).status).toBe(200);
    const approved = await stateOf(recipient);
    expect(approved.state).toBe('approved');
    expect(Date.parse(approved.updatedAt)).toBeGreaterThan(Date.parse(sending.updatedAt));
    expect(await auditOf(batch.batchId)).toEqual(['payout.cancel ok', 'payout.prepare ok']);
    expect((await execute(batch, signed)).status).toBe(409);
    expect(await snapsOf(recipient.user.address)).toBe(0n);
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).status).toBe(409);
  });

  test('a paid one can neither be cancelled, approved, rejected nor paid again', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    await execute(batch, await sign(batch));
    const { id } = recipient.withdrawal;
    expect((await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`)).status).toBe(409);
    expect((await panel.post(`/api/admin/withdrawals/${id}/approve`)).status).toBe(409);
    expect((await panel.post(`/api/admin/withdrawals/${id}/reject`, { reason: 'x' })).status).toBe(409);
    expect((await prepare(recipient)).status).toBe(409);
  });
});

describe('failures [R33]', () => {
  test('failed on chain: no user is paid, the user reads it, and it can be approved again', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const response = await execute(batch, await signToFail(batch));
    expect(response.body).toMatchObject({ state: 'failed', note: expect.stringContaining('failed on chain') });
    expect(await stateOf(recipient)).toMatchObject({
      state: 'failed',
      digest: null,
      reason: 'The payout transaction failed on chain',
    });
    expect(await auditOf(response.body.digest ?? '')).toEqual(['payout.settle failed_on_chain', 'payout.send ok']);
    const [told] = (
      await recipient.user.get<{ kind: string; text: string }[]>(`/api/users/${recipient.user.id}/activity`)
    ).body;
    expect(told).toMatchObject({
      kind: 'withdrawal_failed',
      text: 'Withdrawal of 80 Snaps could not be paid yet: The payout transaction failed on chain. The admin will review it.',
    });
    expect(await snapsOf(recipient.user.address)).toBe(0n);
    expect((await panel.post(`/api/admin/withdrawals/${recipient.withdrawal.id}/approve`)).body).toMatchObject({
      state: 'approved',
    });
    const again = await prepared(recipient);
    expect((await execute(again, await sign(again))).body.state).toBe('paid');
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('the chain is unreachable before sending: nothing is stored as sent', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    await chain.control({ down: true });
    expect(await execute(batch, signed)).toMatchObject({ status: 503 });
    await chain.control({ down: false });
    expect((await execute(batch, signed)).body.state).toBe('paid');
  });

  test('the chain’s response was lost: the recovery job finds the transaction and marks every withdrawal paid, once', async () => {
    const recipients = [await payee(80), await payee(90)];
    const batch = await prepared(...recipients);
    const { bytes, signature } = await sign(batch);
    await chain.control({ indexDelayMs: 600_000 });
    // The state after a server was killed between storing and the response.
    const result = await sui.core.executeTransaction({
      transaction: Buffer.from(bytes, 'base64'),
      signatures: [signature],
    });
    const digest = result.Transaction?.digest ?? '';
    await db
      .updateTable('payoutBatches')
      .set({ state: 'sent', digest, transaction: Buffer.from(bytes, 'base64'), signature, sentAt: new Date() })
      .where('id', '=', batch.batchId)
      .execute();
    // Executed, and not indexed yet: what it paid is unknown.
    expect(await recoverPayouts(server.services)).toBe(1);
    for (const recipient of recipients) expect((await stateOf(recipient)).state).toBe('sending');
    await chain.control({ indexDelayMs: 0 });
    expect(await Promise.all([recoverPayouts(server.services), recoverPayouts(server.services)])).toEqual([0, 0]);
    for (const recipient of recipients) {
      expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest });
      expect(await ledgerOf(recipient)).toHaveLength(3);
    }
  });

  /** The state after a server was killed between storing the signed transaction and sending it. */
  async function sentByNobody() {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    const bytes = Buffer.from(signed.bytes, 'base64');
    const digest = await Transaction.from(bytes).getDigest();
    const { signature } = signed;
    await db
      .updateTable('payoutBatches')
      .set({ state: 'sent', digest, transaction: bytes, signature, sentAt: new Date() })
      .where('id', '=', batch.batchId)
      .execute();
    return { recipient, batch, bytes, signature, digest };
  }

  test('killed before sending: the recovery job sends what the wallet signed', async () => {
    const { recipient, digest } = await sentByNobody();
    // The request that stored it may still be sending it.
    expect(await recoverPayouts(server.services)).toBe(1);
    expect(await snapsOf(recipient.user.address)).toBe(0n);
    expect(await recoverPayouts(server.services, Date.now() + 61_000)).toBe(0);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest });
  });

  test('a withdrawal that was taken out of the batch by hand: no withdrawal of it is settled before it is put back [R13 R33]', async () => {
    const [one, two, other] = [await payee(80), await payee(90), await payee(50)];
    const batch = await prepared(one, two);
    const elsewhere = await prepared(other);
    const moveTo = (batchId: string) =>
      db.updateTable('withdrawals').set({ batchId }).where('id', '=', two.withdrawal.id).execute();
    const signed = await sign(batch);
    proxy.fail('execute', 'unavailable', { isDone: true });
    proxy.fail('lookUp', 'unavailable');
    expect((await execute(batch, signed)).body.state).toBe('sent');
    await moveTo(elsewhere.batchId);
    proxy.heal();
    expect(await recoverPayouts(server.services)).toBe(1);
    for (const recipient of [one, two]) {
      expect((await stateOf(recipient)).state).toBe('sending');
      expect(await ledgerOf(recipient)).toHaveLength(1);
    }
    await moveTo(batch.batchId);
    expect(await recoverPayouts(server.services)).toBe(0);
    for (const recipient of [one, two]) expect((await stateOf(recipient)).state).toBe('paid');
  });

  test('unknown to the chain for 24 hours, and not a minute less: failed [R33]', async () => {
    const { recipient, batch, digest } = await sentByNobody();
    // A node that accepts nothing: a repeatedly sent transaction stays unseen.
    proxy.fail('execute', 'unavailable');
    expect(await recoverPayouts(server.services, Date.now() + DAY_MS - 60_000)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    proxy.fail('lookUp', 'unavailable');
    expect(await recoverPayouts(server.services, Date.now() + 2 * DAY_MS)).toBe(1);
    expect((await stateOf(recipient)).state).toBe('sending');
    proxy.heal();
    expect(await recoverPayouts(server.services, Date.now() + DAY_MS + 60_000)).toBe(0);
    expect(await stateOf(recipient)).toMatchObject({ state: 'failed', digest: null });
    const { body } = await panel.get<PayoutBatch[]>('/api/admin/payouts');
    expect(body.find(({ batchId }) => batchId === batch.batchId)).toMatchObject({
      state: 'failed',
      note: 'The transaction did not appear on the chain within a day',
    });
    expect(await auditOf(digest)).toEqual(['payout.settle unseen']);
    expect(await snapsOf(recipient.user.address)).toBe(0n);
  });

  describe('given up as never executed, and executed after all', () => {
    async function givenUp(): Promise<Payee & { digest: string; execute: () => Promise<unknown> }> {
      const { recipient, bytes, signature, digest } = await sentByNobody();
      expect(await recoverPayouts(server.services, Date.now() + DAY_MS + 60_000)).toBe(0);
      expect((await stateOf(recipient)).state).toBe('failed');
      return {
        ...recipient,
        digest,
        execute: () => sui.core.executeTransaction({ transaction: bytes, signatures: [signature] }),
      };
    }
    const approve = ({ withdrawal }: Payee) => panel.post(`/api/admin/withdrawals/${withdrawal.id}/approve`);
    const reject = ({ withdrawal }: Payee) =>
      panel.post(`/api/admin/withdrawals/${withdrawal.id}/reject`, { reason: 'lost' });

    async function expectPaidOnce(recipient: Payee & { digest: string }): Promise<void> {
      expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest: recipient.digest });
      expect(await ledgerOf(recipient)).toHaveLength(3);
      expect(await snapsOf(recipient.user.address)).toBe(BigInt(recipient.withdrawal.tokenAmount) * UNIT);
    }

    test('is found before it is paid again [R33 R14]', async () => {
      const recipient = await givenUp();
      expect((await approve(recipient)).status).toBe(200);
      await recipient.execute();
      expect(await prepare(recipient)).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/is paid$/) },
      });
      await expectPaidOnce(recipient);
    });

    test('is found before it is rejected [R33 R14]', async () => {
      const recipient = await givenUp();
      await recipient.execute();
      expect((await reject(recipient)).status).toBe(409);
      await expectPaidOnce(recipient);
    });

    test('after a node had refused it: is found before it is paid again [R33 R14]', async () => {
      const recipient = await payee(80);
      const batch = await prepared(recipient);
      const { bytes, signature } = await sign(batch);
      proxy.fail('execute', 'refused');
      expect(await execute(batch, { bytes, signature })).toMatchObject({ status: 400, body: { error: 'rejected' } });
      expect((await stateOf(recipient)).state).toBe('approved');
      const transaction = Buffer.from(bytes, 'base64');
      await sui.core.executeTransaction({ transaction, signatures: [signature] });
      expect(await prepare(recipient)).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/is paid$/) },
      });
      await expectPaidOnce({ ...recipient, digest: await Transaction.from(transaction).getDigest() });
    });

    test('after one of two was rejected: the other is paid, and the log names the first [R33 R14]', async () => {
      const error = vi.spyOn(server.services.log, 'error');
      onTestFinished(() => error.mockRestore());
      const [one, two, stranger] = [await payee(80), await payee(90), await payee(50)];
      const batch = await prepared(one, two);
      const signed = await sign(batch);
      proxy.fail('execute', 'unavailable');
      expect((await execute(batch, signed)).body.state).toBe('sent');
      expect(await recoverPayouts(server.services, Date.now() + DAY_MS + 60_000)).toBe(0);
      expect((await reject(one)).status).toBe(200);
      const transaction = Buffer.from(signed.bytes, 'base64');
      await sui.core.executeTransaction({ transaction, signatures: [signed.signature] });
      expect((await approve(two)).status).toBe(200);
      expect((await prepare(two)).status).toBe(409);
      expect((await stateOf(one)).state).toBe('rejected');
      expect((await stateOf(stranger)).state).toBe('approved');
      expect(await ledgerOf(one)).toHaveLength(2);
      await expectPaidOnce({ ...two, digest: await Transaction.from(transaction).getDigest() });
      expect(error).toHaveBeenCalledWith(
        expect.objectContaining({ batchId: batch.batchId, withdrawals: [one.withdrawal.id] }),
        'a payout given up was executed, and settled otherwise',
      );
      const { body } = await panel.get<PayoutBatch[]>('/api/admin/payouts');
      const settled = body.find(({ batchId }) => batchId === batch.batchId);
      expect(settled).toMatchObject({ state: 'paid', recipients: [{ withdrawalId: two.withdrawal.id }] });
    });

    test('waits while the chain cannot be asked; never seen, it is paid by another transaction [R33 R14]', async () => {
      const recipient = await givenUp();
      expect((await approve(recipient)).status).toBe(200);
      proxy.fail('lookUp', 'deadline');
      for (const response of [await prepare(recipient), await reject(recipient)])
        expect(response).toMatchObject({ status: 503, body: { error: 'chain_unreachable' } });
      expect((await stateOf(recipient)).state).toBe('approved');
      proxy.heal();
      const batch = await prepared(recipient);
      expect((await execute(batch, await sign(batch))).body.state).toBe('paid');
      expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    });
  });
});

describe('a node whose executions and look-ups fail in ways of their own', () => {
  /** Result of a payout whose sending fails this way, and again when the job sends it; then the chain works again. */
  async function sendWhile(fail: () => void) {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const signed = await sign(batch);
    fail();
    const { status, body } = await execute(batch, signed);
    const open = await recoverPayouts(server.services, Date.now() + 61_000);
    const meanwhile = { status, batch: body.state, open, withdrawal: (await stateOf(recipient)).state };
    const path = `/api/admin/withdrawals/${recipient.withdrawal.id}`;
    const refused = [
      await prepare(recipient),
      await panel.post(`/api/admin/payouts/${batch.batchId}/cancel`),
      await panel.post(`${path}/approve`),
      await panel.post(`${path}/reject`, { reason: 'too slow' }),
    ].map((response) => response.status);
    proxy.heal();
    await recoverPayouts(server.services, Date.now() + 61_000);
    const { state } = await stateOf(recipient);
    return { meanwhile, refused, state, paid: (await snapsOf(recipient.user.address)) / UNIT };
  }
  const SENT_THEN_PAID_ONCE = {
    meanwhile: { status: 200, batch: 'sent', open: 1, withdrawal: 'sending' },
    refused: [409, 409, 409, 409],
    state: 'paid',
    paid: 80n,
  };

  test.each<[fault: ChainFault, isDone: boolean]>([
    ['unavailable', false],
    ['deadline', true],
    ['cut', true],
  ])('execution %s (done: %s), look-ups say unseen: sent, then paid once [R33 R14]', async (fault, isDone) => {
    const outcome = await sendWhile(() => {
      proxy.fail('execute', fault, { isDone });
      proxy.fail('lookUp', 'unseen');
    });
    expect(outcome).toEqual(SENT_THEN_PAID_ONCE);
  });

  test.each<[fault: ChainFault, isDone: boolean]>([
    ['unavailable', false],
    ['deadline', true],
  ])('execution refused, look-ups %s (done: %s): sent, then paid once [R33 R14]', async (fault, isDone) => {
    const outcome = await sendWhile(() => {
      proxy.fail('execute', 'refused', { isDone });
      proxy.fail('lookUp', fault);
    });
    expect(outcome).toEqual(SENT_THEN_PAID_ONCE);
  });

  test('refused by one node and shown by another: paid [R33]', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    proxy.fail('execute', 'refused', { isDone: true });
    expect(await execute(batch, await sign(batch))).toMatchObject({ status: 200, body: { state: 'paid' } });
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
  });

  test('a response without balance changes says nothing of who was paid [R33]', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    proxy.hidesChanges = true;
    expect(await execute(batch, await sign(batch))).toMatchObject({ status: 200, body: { state: 'sent', note: null } });
    expect((await stateOf(recipient)).state).toBe('sending');
    expect(await recoverPayouts(server.services)).toBe(0);
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid', reason: null });
  });

  test('a digest that cannot be looked up is not recorded [R33]', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const transactionHash = await sendSnaps(adminKey, [{ address: recipient.user.address, units: 80n * UNIT }]);
    proxy.fail('lookUp', 'unavailable');
    expect(await execute(batch, { transactionHash })).toMatchObject({ status: 503 });
    proxy.fail('lookUp', 'unseen');
    expect(await execute(batch, { transactionHash })).toMatchObject({ status: 409, body: { error: 'not_found_yet' } });
    expect((await stateOf(recipient)).state).toBe('sending');
    proxy.heal();
    expect((await execute(batch, { transactionHash })).body).toMatchObject({ state: 'paid', digest: transactionHash });
  });
});

describe('a digest recorded by hand, verified on chain per recipient [R33]', () => {
  test('paid by another program: verified and marked paid; a second batch cannot use it', async () => {
    const recipients = [await payee(80), await payee(90)];
    const batch = await prepared(...recipients);
    const to = recipients.map(({ user, withdrawal }) => ({
      address: user.address,
      units: BigInt(withdrawal.tokenAmount) * UNIT,
    }));
    const transactionHash = await sendSnaps(adminKey, to);
    expect((await execute(batch, { transactionHash })).body).toMatchObject({ state: 'paid', digest: transactionHash });
    expect((await execute(batch, { transactionHash })).status).toBe(200);

    const next = await payee(80);
    await db
      .updateTable('withdrawals')
      .set({ walletAddress: recipients[0]?.user.address ?? '' })
      .where('id', '=', next.withdrawal.id)
      .execute();
    const second = await prepared(next);
    expect(await execute(second, { transactionHash })).toMatchObject({ status: 409, body: { error: 'digest_used' } });
    expect((await stateOf(next)).state).toBe('sending');
  });

  test('half of them paid: those are paid, the others wait for a recipient', async () => {
    const [one, two] = [await payee(80), await payee(90)];
    const batch = await prepared(one, two);
    const transactionHash = await sendSnaps(adminKey, [
      { address: one.user.address, units: 80n * UNIT },
      { address: two.user.address, units: 89n * UNIT },
    ]);
    expect((await execute(batch, { transactionHash })).body).toMatchObject({ state: 'failed' });
    expect(await stateOf(one)).toMatchObject({ state: 'paid', digest: transactionHash });
    expect(await stateOf(two)).toMatchObject({ state: 'failed', digest: null });
    expect(await ledgerOf(two)).toHaveLength(1);
    expect(await auditOf(transactionHash)).toEqual(['payout.settle paid 1, not paid 1', 'payout.send ok']);
  });

  test('older than the batch, made up, not there yet, or failed on chain: refused, nothing changes', async () => {
    const recipient = await payee(80);
    const batch = await prepared(recipient);
    const paidBefore = await sendSnaps(adminKey, [{ address: recipient.user.address, units: 80n * UNIT }]);
    const { Transaction: earlier } = await sui.core.getTransaction({ digest: paidBefore });
    const createdAfter = (ms: number) =>
      db
        .updateTable('payoutBatches')
        .set({ createdAt: new Date((earlier?.timestampMs ?? 0) + ms) })
        .where('id', '=', batch.batchId)
        .execute();
    // The clocks of chain and server may differ by two minutes.
    await createdAfter(120_001);
    expect(await execute(batch, { transactionHash: paidBefore })).toMatchObject({
      status: 400,
      body: { error: 'not_this_payout', message: 'This transaction is older than the payout' },
    });
    expect(await execute(batch, { transactionHash: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' })).toMatchObject({
      status: 409,
      body: { error: 'not_found_yet' },
    });
    expect(await execute(batch, { transactionHash: '0'.repeat(44) })).toMatchObject({
      status: 400,
      body: { error: 'not_a_digest' },
    });
    const { bytes, signature } = await signToFail(batch);
    const result = await sui.core.executeTransaction({
      transaction: Buffer.from(bytes, 'base64'),
      signatures: [signature],
    });
    const failed = result.FailedTransaction?.digest ?? '';
    await db.updateTable('payoutBatches').set({ createdAt: new Date() }).where('id', '=', batch.batchId).execute();
    expect(await execute(batch, { transactionHash: failed })).toMatchObject({
      status: 400,
      body: { error: 'not_this_payout', message: 'This transaction failed on chain' },
    });
    expect((await stateOf(recipient)).state).toBe('sending');
    await createdAfter(120_000);
    expect((await execute(batch, { transactionHash: paidBefore })).body.state).toBe('paid');
  });
});

describe('a payer pays from the own wallet [R54 R33]', () => {
  const payerKey = newWallet();
  const payerWallet = payerKey.toSuiAddress();
  let payer: AdminPanel;
  const fromPayer = (terms: PayoutTerms): PayoutTerms => ({ ...terms, sender: payerWallet });
  const preparedByPayer = async (recipient: Payee): Promise<PayoutBatch> => {
    const response = await payer.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] });
    expect(response).toMatchObject({ status: 201, body: { sender: payerWallet } });
    return response.body;
  };
  const executeAsPayer = (batch: PayoutBatch, body: object) =>
    payer.post<PayoutBatch & { message?: string }>(`/api/admin/payouts/${batch.batchId}/execute`, body);

  beforeAll(async () => {
    await fund(chain, payerWallet);
    await sendSnaps(treasury, [{ address: payerWallet, units: 1_000n * UNIT }]);
    payer = await signInAs(server, 'payer', payerKey);
  });

  test('only the wallet that prepared a payout signs it, and the audit log names its person', async () => {
    const recipient = await payee(80);
    const batch = await preparedByPayer(recipient);
    expect(await execute(batch, await sign(batch))).toMatchObject({
      status: 400,
      body: { message: 'The transaction is from another wallet' },
    });
    const before = await snapsOf(payerWallet);
    expect((await executeAsPayer(batch, await sign(batch, fromPayer, payerKey))).body.state).toBe('paid');
    expect(await snapsOf(payerWallet)).toBe(before - 80n * UNIT);
    expect(await snapsOf(recipient.user.address)).toBe(80n * UNIT);
    const { body } = await panel.get<{ actor: string }[]>(`/api/admin/audit?q=${batch.batchId}&actor=${payerWallet}`);
    expect(body).toHaveLength(3);
  });

  test('a transaction of another wallet is not recorded as a payer’s payout; the owner may record it', async () => {
    const recipient = await payee(80);
    const batch = await preparedByPayer(recipient);
    // Coins that the recipient got from elsewhere.
    const transactionHash = await sendSnaps(treasury, [{ address: recipient.user.address, units: 80n * UNIT }]);
    expect(await executeAsPayer(batch, { transactionHash })).toMatchObject({
      status: 400,
      body: { error: 'not_this_payout', message: 'This transaction is from another wallet' },
    });
    expect((await stateOf(recipient)).state).toBe('sending');
    expect((await execute(batch, { transactionHash })).body.state).toBe('paid');
  });

  test('revoked with a payout half sent: it is paid once by the job, and what was only prepared can be cancelled', async () => {
    const [sent, waiting] = [await payee(80), await payee(90)];
    const [batch, other] = [await preparedByPayer(sent), await preparedByPayer(waiting)];
    const signed = await sign(batch, fromPayer, payerKey);
    proxy.fail('execute', 'unavailable');
    await executeAsPayer(batch, signed);
    expect((await stateOf(sent)).state).toBe('sending');
    expect((await panel.post(`/api/admin/people/${payerWallet}/revoke`, { reason: 'Left us' })).status).toBe(200);
    proxy.heal();
    const late = await executeAsPayer(other, await sign(other, fromPayer, payerKey));
    expect(late).toMatchObject({ status: 403, body: { error: 'not_admin' } });
    expect(await recoverPayouts(server.services, Date.now() + 61_000)).toBe(0);
    expect((await stateOf(sent)).state).toBe('paid');
    expect(await snapsOf(sent.user.address)).toBe(80n * UNIT);
    expect((await panel.post(`/api/admin/payouts/${other.batchId}/cancel`)).status).toBe(200);
    expect((await stateOf(waiting)).state).toBe('approved');
    expect(await payingWallets(db, server.services.config)).toContain(payerWallet);
    payer = await signInAs(server, 'payer', payerKey);
  });
});

test('without a coin a batch is recorded by its digest, and says so [R33]', async () => {
  const plain = await startServer(server.databaseUrl, { env: { ADMIN_WALLET: ADMIN, SNAPS_COIN_TYPE: '' } });
  try {
    const plainPanel = await signInAsAdmin(plain, adminKey);
    const recipient = await payee(80, plain, plainPanel);
    const batch = (
      await plainPanel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] })
    ).body;
    expect(batch.coinType).toBeNull();
    const path = `/api/admin/payouts/${batch.batchId}/execute`;
    expect(await plainPanel.post(path, await sign(batch))).toMatchObject({ status: 400, body: { error: 'no_coin' } });
    const transactionHash = '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S';
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => plainPanel.post<PayoutBatch>(path, { transactionHash })),
    );
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(responses.map(({ status }) => status)).toContain(200);
    expect((await plainPanel.post(path, { transactionHash })).body).toMatchObject({
      state: 'paid',
      digest: transactionHash,
    });
    expect(await stateOf(recipient)).toMatchObject({ state: 'paid', digest: transactionHash });
    expect((await auditOf(transactionHash))[0]).toBe('payout.settle recorded by hand, not verified');

    // Recorded by a server that ended before it was settled.
    const left = await payee(90, plain, plainPanel);
    const { body } = await plainPanel.post<PayoutBatch>('/api/admin/payouts', { withdrawalIds: [left.withdrawal.id] });
    const digest = `${transactionHash.slice(0, -1)}T`;
    const recorded = { state: 'sent' as const, digest, sentAt: new Date() };
    await db.updateTable('payoutBatches').set(recorded).where('id', '=', body.batchId).execute();
    expect(await recoverPayouts(plain.services)).toBe(0);
    expect(await stateOf(left)).toMatchObject({ state: 'paid', digest });
    expect(await ledgerOf(left)).toHaveLength(3);
    expect(await auditOf(digest)).toEqual(['payout.settle recorded by hand, not verified']);
  } finally {
    await plain.close();
  }
});

test('SUI itself may be the coin: paid from the gas coin, verified per recipient [R33]', async () => {
  const inSui = await startServer(server.databaseUrl, {
    env: { ...env, SNAPS_COIN_TYPE: '0x2::sui::SUI', SNAPS_DECIMALS: '9' },
  });
  try {
    const suiPanel = await signInAsAdmin(inSui, adminKey);
    const recipient = await payee(50, inSui, suiPanel);
    const { body: batch } = await suiPanel.post<PayoutBatch>('/api/admin/payouts', {
      withdrawalIds: [recipient.withdrawal.id],
    });
    const signed = await sign(batch, (terms) => ({ ...terms, coinType: '0x2::sui::SUI' }));
    const response = await suiPanel.post(`/api/admin/payouts/${batch.batchId}/execute`, signed);
    expect(response).toMatchObject({ status: 200, body: { state: 'paid' } });
    const { balance } = await sui.core.getBalance({ owner: recipient.user.address });
    expect(BigInt(balance.balance)).toBe(50n * 10n ** 9n);
  } finally {
    await inSui.close();
  }
});

test('more than a coin can hold is not prepared [R33]', async () => {
  // 18.4 tokens of 18 decimals fill a u64.
  const fine = await startServer(server.databaseUrl, { env: { ...env, SNAPS_COIN_TYPE: '', SNAPS_DECIMALS: '18' } });
  try {
    const finePanel = await signInAsAdmin(fine, adminKey);
    const recipient = await payee(50, fine, finePanel);
    const response = await finePanel.post('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] });
    expect(response).toMatchObject({ status: 400, body: { error: 'too_much' } });
    expect((await stateOf(recipient)).state).toBe('approved');
  } finally {
    await fine.close();
  }
});

test('nothing is prepared with decimals that the chain contradicts [R33]', async () => {
  // A server that started while the node was down could not ask.
  const wrong = await startServer(server.databaseUrl, { env: { ...env, SNAPS_DECIMALS: '9' } });
  try {
    const wrongPanel = await signInAsAdmin(wrong, adminKey);
    const recipient = await payee(50, wrong, wrongPanel);
    const response = await wrongPanel.post('/api/admin/payouts', { withdrawalIds: [recipient.withdrawal.id] });
    expect(response).toMatchObject({ status: 409, body: { error: 'wrong_coin' } });
    expect((await stateOf(recipient)).state).toBe('approved');
  } finally {
    await wrong.close();
  }
});

describe('the queue [R14 R33]', () => {
  test('requested → approved → rejected: the hold comes back with the reason; each step counts once', async () => {
    const user = await newUser(server);
    await grantTokens(db, user.id, 100);
    const asked = await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', {
      userId: user.id,
      walletAddress: user.address,
      tokenAmount: 60,
    });
    const { id } = asked.body.withdrawal;
    const queue = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?state=requested');
    expect(queue.body.find((row) => row.id === id)).toMatchObject({
      userId: user.id,
      walletAddress: user.address,
      tokenAmount: 60,
    });
    const approvals = await Promise.all(
      Array.from({ length: 5 }, () => panel.post(`/api/admin/withdrawals/${id}/approve`)),
    );
    expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
    const rejections = await Promise.all(
      Array.from({ length: 5 }, () =>
        panel.post(`/api/admin/withdrawals/${id}/reject`, { reason: 'Looks like a bot' }),
      ),
    );
    expect(rejections.filter(({ status }) => status === 200)).toHaveLength(1);
    // A refunded withdrawal is not paid as well, neither alone nor with others.
    expect(await panel.post(`/api/admin/withdrawals/${id}/approve`)).toMatchObject({
      status: 409,
      body: { message: 'This withdrawal is rejected' },
    });
    const other = await payee(50);
    for (const withdrawalIds of [[id], [other.withdrawal.id, id], [other.withdrawal.id, 999_999]])
      expect((await panel.post('/api/admin/payouts', { withdrawalIds })).status).toBe(409);
    expect((await stateOf(other)).state).toBe('approved');
    expect(await stateOf({ user, withdrawal: asked.body.withdrawal })).toMatchObject({
      state: 'rejected',
      reason: 'Looks like a bot',
    });
    expect((await user.get<{ tokenBalance: number }>(`/api/users/${user.id}/stats`)).body.tokenBalance).toBe(100);
    const activity = await user.get<{ kind: string; text: string; tokens: number }[]>(`/api/users/${user.id}/activity`);
    expect(activity.body.slice(0, 2)).toMatchObject([
      { kind: 'withdrawal_rejected', tokens: 60, text: 'Withdrawal of 60 Snaps rejected: Looks like a bot' },
      { kind: 'withdrawal_approved', tokens: 0 },
    ]);
    const { body } = await panel.get<{ action: string; detail: string }[]>('/api/admin/audit?q=withdrawal.reject');
    expect(body[0]).toMatchObject({
      detail: `Withdrawal ${id}: 60 Snaps. Reason: Looks like a bot`,
    });
  });

  test('no reason, no such withdrawal, a state that does not exist', async () => {
    const recipient = await payee(50);
    const path = `/api/admin/withdrawals/${recipient.withdrawal.id}/reject`;
    expect((await panel.post(path, { reason: '' })).status).toBe(400);
    expect((await panel.post(path, {})).status).toBe(400);
    expect((await panel.post('/api/admin/withdrawals/999999/approve')).status).toBe(404);
    expect((await panel.get('/api/admin/withdrawals?state=lost')).status).toBe(400);
    expect((await panel.post('/api/admin/payouts', { withdrawalIds: [999_999] })).status).toBe(409);
    expect((await panel.post(`/api/admin/payouts/${crypto.randomUUID()}/cancel`)).status).toBe(404);
  });
});
