import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { buildBoundPayout } from '#chain/payout.ts';
import type { AdminWithdrawal, PayoutBatch } from '#shared/contract/admin.ts';
import type { OutgoingTransfer, PayoutHistory } from '#shared/contract/payout-history.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { recoverPayouts } from './recover.ts';
import { findDifferences } from '../ledger/check-invariants.ts';
import { type AdminPanel, signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestDatabase, startServer, type TestApp } from '#lab/testing/app.ts';
import { grantTokens } from '#lab/testing/builders.ts';
import { fund, startChain } from '#lab/testing/chain.ts';
import { startChainProxy } from '#lab/testing/chain-proxy.ts';
import { newUser, type TestUser } from '#lab/testing/client.ts';
import { letStand } from '#lab/testing/standing.ts';
import { newWallet, type Wallet } from '#lab/testing/wallets.ts';
import { readPayouts } from '../history/gate.ts';

/** Restores to an earlier moment (R56): everything that the books have lost is still on the chain. */

/** A separate chain of this file, whose history is delayed and pruned here. */
const chain = await startChain();
afterAll(() => chain.stop());
const proxy = await startChainProxy(chain.rpcUrl);
afterAll(() => proxy.close());
const { accounts, demoCoin } = await fetchDemoAccounts(chain.faucetUrl);
const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
const UNIT = 10n ** BigInt(demoCoin.decimals);

async function signTransfers(key: Wallet | Ed25519Keypair, transfers: { address: string; amountUnits: bigint }[]) {
  const terms = { sender: key.toSuiAddress(), coinType: demoCoin.coinType, transfers };
  return key.signTransaction(await (await buildBoundPayout(chain.client, terms)).build({ client: chain.client }));
}

/** Sends Snaps outside of the product, each amount in a separate coin. */
async function sendSnaps(key: Wallet | Ed25519Keypair, to: { address: string; snaps: number }[]): Promise<string> {
  const transfers = to.map(({ address, snaps }) => ({ address, amountUnits: BigInt(snaps) * UNIT }));
  const { bytes, signature } = await signTransfers(key, transfers);
  const signed = { transaction: Buffer.from(bytes, 'base64'), signatures: [signature] };
  const result = await chain.client.core.executeTransaction(signed);
  if (!result.Transaction) throw new Error('failed on chain');
  return result.Transaction.digest;
}

async function snapsOf({ address }: { address: string }): Promise<number> {
  const { balance } = await chain.client.core.getBalance({ owner: address, coinType: demoCoin.coinType });
  return Number(BigInt(balance.balance) / UNIT);
}

/** Ended after the tests, the last one first. */
const closers: Array<() => Promise<unknown>> = [];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

/** The product on one database, with a separate paying wallet. */
interface Site {
  app: TestApp;
  panel: AdminPanel;
  key: Wallet;
}

const siteEnv = (key: Wallet) => ({
  SUI_RPC_URL: proxy.url,
  SUI_FAUCET_URL: chain.faucetUrl,
  ADMIN_WALLET: key.toSuiAddress(),
  SNAPS_COIN_TYPE: demoCoin.coinType,
  SNAPS_DECIMALS: String(demoCoin.decimals),
});

async function open(databaseUrl: string, key: Wallet): Promise<Site> {
  const app = await startServer(databaseUrl, { env: siteEnv(key) });
  return { app, panel: await signInAsAdmin(app, key), key };
}

async function newSite(): Promise<Site> {
  const database = await createTestDatabase();
  const key = newWallet();
  await fund(chain, key.toSuiAddress(), 2);
  await sendSnaps(treasury, [{ address: key.toSuiAddress(), snaps: 100_000 }]);
  closers.push(() => database.drop());
  return open(database.url, key);
}

let copies = 0;
/** A copy of a database that no server uses; deleted after the file. */
async function copyOf(databaseUrl: string): Promise<string> {
  copies += 1;
  const [from, name] = [new URL(databaseUrl).pathname.slice(1), `restored_${process.pid}_${copies}`];
  const admin = new pg.Client({ connectionString: inject('databaseUrl') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${from}`);
  closers.push(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });
  return Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href;
}

async function holder({ app }: Site, snaps: number): Promise<TestUser> {
  const user = await newUser(app);
  await grantTokens(app.services.db, user.id, snaps);
  await letStand(app.services.db, user.id);
  return user;
}

async function request(user: TestUser, tokenAmount: number): Promise<number> {
  const body = { userId: user.id, walletAddress: user.address, tokenAmount };
  const response = await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body);
  expect(response.status).toBe(201);
  return response.body.withdrawal.id;
}

const approve = ({ panel }: Site, id: number) => panel.post(`/api/admin/withdrawals/${id}/approve`);
const prepare = ({ panel }: Site, ...withdrawalIds: number[]) =>
  panel.post<PayoutBatch & { error?: string }>('/api/admin/payouts', { withdrawalIds });

const sign = ({ key }: Site, { recipients }: PayoutBatch) =>
  signTransfers(
    key,
    recipients.map(({ walletAddress, amountUnits }) => ({ address: walletAddress, amountUnits: BigInt(amountUnits) })),
  );

async function execute(site: Site, batch: PayoutBatch) {
  const { bytes, signature } = await sign(site, batch);
  return site.panel.post<PayoutBatch>(`/api/admin/payouts/${batch.batchId}/execute`, { bytes, signature });
}

async function payOut(site: Site, ...ids: number[]): Promise<string> {
  const prepared = await prepare(site, ...ids);
  expect(prepared.status).toBe(201);
  const { body } = await execute(site, prepared.body);
  expect(body).toMatchObject({ state: 'paid' });
  return body.digest ?? '';
}

/** Requested, approved and paid by one transaction. */
async function withdraw(site: Site, user: TestUser, snaps: number): Promise<void> {
  const id = await request(user, snaps);
  await approve(site, id);
  await payOut(site, id);
}

async function withdrawalsOf({ panel }: Site, user: TestUser): Promise<Array<[state: string, snaps: number]>> {
  const { body } = await panel.get<AdminWithdrawal[]>('/api/admin/withdrawals?limit=500');
  return body
    .filter(({ userId }) => userId === user.id)
    .map(({ state, tokenAmount }): [string, number] => [state, tokenAmount])
    .toReversed();
}

async function balanceOf({ app }: Site, user: TestUser): Promise<number> {
  const { balance } = await app.services.db
    .selectFrom('userStats')
    .select('balance')
    .where('userId', '=', user.id)
    .executeTakeFirstOrThrow();
  return balance;
}

/** Withdrawals that every test needs. */
function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('it does not exist');
  return value;
}

const history = async ({ panel }: Site) => (await panel.get<PayoutHistory>('/api/admin/payout-history')).body;
const transfers = async ({ panel }: Site, state = 'unexplained') =>
  (await panel.get<OutgoingTransfer[]>(`/api/admin/transfers?state=${state}`)).body;
const decide = (
  { panel }: Site,
  ids: number[],
  as: OutgoingTransfer['state'] | 'withdrawal',
  reason = 'Looked it up',
) => panel.post<{ error?: string }>('/api/admin/transfers/decide', { ids, as, reason });

beforeEach(async () => {
  proxy.heal();
  await chain.control({ down: false, indexDelayMs: 0, lowestCheckpoint: 0, scanLimit: 10_000 });
});

describe('a restore to an earlier moment [R56]', () => {
  const users: Record<string, TestUser> = {};
  const ids: Record<string, number> = {};
  const user = (name: string): TestUser => needed(users[name]);
  const id = (name: string): number => needed(ids[name]);
  let key: Wallet;
  /** The database at the moment. */
  let moment: string;

  beforeAll(async () => {
    const before = await newSite();
    ({ key } = before);
    const { databaseUrl } = before.app;
    for (const name of ['requested', 'approved', 'prepared', 'regrouped', 'sent', 'never', 'rejected']) {
      const one = (users[name] = await holder(before, 500));
      ids[name] = await request(one, 100);
      if (name !== 'requested') await approve(before, id(name));
    }
    for (const name of ['unasked', 'spent']) users[name] = await holder(before, 300);
    const batch = (await prepare(before, id('prepared'))).body;
    const other = (await prepare(before, id('regrouped'))).body;
    const lost = (await prepare(before, id('sent'))).body;
    proxy.fail('execute', 'unavailable');
    await execute(before, lost);
    await before.app.close();
    moment = await copyOf(databaseUrl);

    // Changes that the restore will lose.
    const after = await open(databaseUrl, key);
    closers.push(() => after.app.close());
    const back = (one: TestUser): Promise<TestUser> => newUser(after.app, one.wallet);
    await chain.control({ endEpoch: true });
    await recoverPayouts(after.app.services);
    proxy.heal();
    await approve(after, id('requested'));
    await payOut(after, id('requested'), id('approved'));
    await execute(after, batch);
    await after.panel.post(`/api/admin/payouts/${other.batchId}/cancel`);
    await payOut(after, id('regrouped'), id('sent'));
    await payOut(after, id('rejected'));
    await withdraw(after, await back(user('unasked')), 120);
    await grantTokens(after.app.services.db, user('spent').id, 500);
    await withdraw(after, await back(user('spent')), 600);
    users.newcomer = await holder(after, 200);
    await withdraw(after, user('newcomer'), 150);
  });

  async function restored(change = ''): Promise<Site> {
    const url = await copyOf(moment);
    if (change !== '') {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(change);
      await client.end();
    }
    const site = await open(url, key);
    onTestFinished(async () => {
      expect(await findDifferences(site.app.services.db)).toEqual([]);
      await site.app.close();
    });
    return site;
  }

  const paidOnce = {
    requested: 100,
    approved: 100,
    prepared: 100,
    regrouped: 100,
    sent: 100,
    rejected: 100,
    unasked: 120,
  };

  async function expectPaidOnce(): Promise<void> {
    for (const [name, snaps] of Object.entries({ ...paidOnce, spent: 600, newcomer: 150 }))
      expect([name, await snapsOf(user(name))]).toEqual([name, snaps]);
  }

  test('a restore pays no user twice: payouts found on the chain become paid, and new ones wait for unexplained transfers', async () => {
    const site = await restored();
    // The admin's first action is to pay everything that seems unpaid.
    const response = await prepare(site, id('approved'), id('never'));
    expect(response).toMatchObject({ status: 409, body: { error: 'transfers_unexplained' } });
    for (const name of ['requested', 'approved', 'prepared', 'regrouped', 'rejected']) {
      expect([name, await withdrawalsOf(site, user(name))]).toEqual([name, [['paid', 100]]]);
      expect(await balanceOf(site, user(name))).toBe(400);
    }
    expect(await withdrawalsOf(site, user('unasked'))).toEqual([['paid', 120]]);
    expect(await balanceOf(site, user('unasked'))).toBe(180);
    expect(await withdrawalsOf(site, user('never'))).toEqual([['approved', 100]]);
    expect((await transfers(site)).map(({ userId, cause, tokenAmount }) => [userId, cause, tokenAmount])).toEqual([
      [null, 'unknown_wallet', 150],
      [user('spent').id, 'balance_too_low', 600],
      [user('sent').id, 'on_its_way', 100],
    ]);
    expect(await history(site)).toMatchObject({
      isRead: true,
      waiting: 3,
      unread: 0,
      wallets: [{ state: 'complete' }],
    });
    await expectPaidOnce();

    // A payout that was sent before the moment, expired, and was paid by another one after it, is not sent again.
    const [unknown, spent, sent] = (await transfers(site)).map((transfer) => transfer.id);
    expect(await decide(site, [sent ?? 0], 'explained')).toMatchObject({ status: 409, body: { error: 'on_its_way' } });
    const calls = { ...proxy.calls };
    expect(await recoverPayouts(site.app.services, Date.now() + 61_000)).toBe(0);
    expect(proxy.calls).toEqual({ ...calls, lookUp: calls.lookUp + 1 });
    expect(await decide(site, [spent ?? 0], 'withdrawal')).toMatchObject({ status: 409 });
    expect((await decide(site, [unknown ?? 0, spent ?? 0], 'explained', 'Lost by the restore')).status).toBe(200);
    await payOut(site, id('never'));
    expect(await withdrawalsOf(site, user('sent'))).toEqual([['paid', 100]]);
    await expectPaidOnce();
    expect(await snapsOf(user('never'))).toBe(100);
    const explained = await site.panel.get<{ detail: string }[]>('/api/admin/audit?q=transfer.explained');
    expect(explained.body.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('Lost by the restore'),
      expect.stringContaining('Lost by the restore'),
    ]);
  });

  test('each withdrawal is paid once with two servers, a rejection, and a wallet that is still open', async () => {
    const site = await restored();
    const other = await startServer(site.app.databaseUrl, { env: siteEnv(key) });
    onTestFinished(() => other.close());
    const rejected = site.panel.post(`/api/admin/withdrawals/${id('rejected')}/reject`, { reason: 'Looks unpaid' });
    const states = await Promise.all([
      readPayouts(site.app.services),
      readPayouts(other.services),
      readPayouts(site.app.services),
    ]);
    expect(states).toEqual(['complete', 'complete', 'complete']);
    expect((await rejected).status).toBe(409);
    for (const name of ['requested', 'approved', 'prepared', 'regrouped', 'rejected'])
      expect([name, await withdrawalsOf(site, user(name)), await balanceOf(site, user(name))]).toEqual([
        name,
        [['paid', 100]],
        400,
      ]);
    expect(await withdrawalsOf(site, user('unasked'))).toEqual([['paid', 120]]);
    // The batch that was open at the moment: its wallet signs and sends it again.
    const batches = (await site.panel.get<PayoutBatch[]>('/api/admin/payouts?limit=100')).body;
    const open = batches.find(({ recipients }) => recipients.some((one) => one.withdrawalId === id('prepared')));
    expect(open?.state).toBe('paid');
    expect((await execute(site, needed(open))).status).toBe(409);
    const cancelled = batches.find(({ state }) => state === 'cancelled');
    expect((await execute(site, needed(cancelled))).status).toBe(409);
    await expectPaidOnce();
  });

  test('without a known restore no balance is reduced automatically, and the owner records the withdrawal', async () => {
    const site = await restored('UPDATE payout_history SET database_id = NULL');
    expect((await prepare(site, id('never'))).status).toBe(409);
    const waiting = await transfers(site);
    const unasked = waiting.find(({ userId }) => userId === user('unasked').id);
    expect(unasked).toMatchObject({ cause: 'not_requested', tokenAmount: 120, withdrawalId: null });
    expect(await withdrawalsOf(site, user('unasked'))).toEqual([]);
    expect(await balanceOf(site, user('unasked'))).toBe(300);
    const ids = [unasked?.id ?? 0];
    expect((await decide(site, ids, 'withdrawal', '')).status).toBe(400);
    expect((await decide(site, ids, 'withdrawal')).status).toBe(200);
    expect((await decide(site, ids, 'withdrawal')).status).toBe(409);
    expect(await withdrawalsOf(site, user('unasked'))).toEqual([['paid', 120]]);
    expect(await balanceOf(site, user('unasked'))).toBe(180);
    expect((await transfers(site, 'adopted')).find(({ id: one }) => one === ids[0])).toMatchObject({
      reason: 'Looked it up',
      decidedBy: key.toSuiAddress(),
    });
  });
});

describe('before anything is paid [R56]', () => {
  let site: Site;
  beforeAll(async () => {
    site = await newSite();
    closers.push(() => site.app.close());
  });

  async function approved(snaps = 60): Promise<{ user: TestUser; withdrawal: number }> {
    const user = await holder(site, snaps);
    const withdrawal = await request(user, snaps);
    await approve(site, withdrawal);
    return { user, withdrawal };
  }

  test('a transfer outside of the product waits for its explanation, and reduces no balance', async () => {
    const [{ withdrawal }, friend] = [await approved(), await holder(site, 500)];
    await sendSnaps(site.key, [{ address: friend.address, snaps: 77 }]);
    const { status, body } = await prepare(site, withdrawal);
    expect({ status, body }).toMatchObject({
      status: 409,
      body: {
        error: 'transfers_unexplained',
        message:
          'A transfer of a paying wallet is not in the books. Explain on the Withdrawals tab what was paid; nothing was sent.',
      },
    });
    const [gift] = await transfers(site);
    expect(gift).toMatchObject({ userId: friend.id, tokenAmount: 77, cause: 'not_requested' });
    expect(await balanceOf(site, friend)).toBe(500);
    expect((await decide(site, [gift?.id ?? 0], 'explained', 'A prize')).status).toBe(200);
    await payOut(site, withdrawal);
    expect(await balanceOf(site, friend)).toBe(500);
    expect(await transfers(site, 'explained')).toMatchObject([
      { reason: 'A prize', decidedBy: site.key.toSuiAddress() },
    ]);
  });

  test('pays the approved one of two withdrawals of one amount', async () => {
    const user = await holder(site, 160);
    await request(user, 80);
    await approve(site, await request(user, 80));
    await sendSnaps(site.key, [{ address: user.address, snaps: 80 }]);
    await readPayouts(site.app.services);
    expect(await withdrawalsOf(site, user)).toEqual([
      ['requested', 80],
      ['paid', 80],
    ]);
  });

  test('a withdrawal that was requested after a transfer is not paid by it', async () => {
    const user = await holder(site, 400);
    const digest = await sendSnaps(site.key, [{ address: user.address, snaps: 90 }]);
    const withdrawal = await request(user, 90);
    await site.app.services.db
      .updateTable('withdrawals')
      .set({ createdAt: new Date(Date.now() + 180_000) })
      .where('id', '=', withdrawal)
      .execute();
    await readPayouts(site.app.services);
    expect(await withdrawalsOf(site, user)).toEqual([['requested', 90]]);
    const [waiting] = await transfers(site);
    expect(waiting).toMatchObject({ digest, cause: 'not_requested' });
    await decide(site, [waiting?.id ?? 0], 'explained');
  });

  test('a withdrawal is paid by a wallet that sends on its own before its digest is recorded, and the digest is accepted', async () => {
    const [one, two] = [await approved(60), await approved(70)];
    const { body: batch } = await prepare(site, one.withdrawal, two.withdrawal);
    const transactionHash = await sendSnaps(site.key, [
      { address: one.user.address, snaps: 60 },
      { address: two.user.address, snaps: 70 },
    ]);
    await readPayouts(site.app.services);
    expect(await withdrawalsOf(site, one.user)).toEqual([['paid', 60]]);
    const response = await site.panel.post<PayoutBatch>(`/api/admin/payouts/${batch.batchId}/execute`, {
      transactionHash,
    });
    expect(response).toMatchObject({ status: 200, body: { state: 'paid', digest: transactionHash } });
    expect(await transfers(site)).toEqual([]);
  });

  test('a transfer of another amount, to a stranger or to another paying wallet gets its cause', async () => {
    const [user, payer] = [await holder(site, 500), newWallet().toSuiAddress()];
    const { db } = site.app.services;
    await db.insertInto('paymentRecipients').values({ address: payer }).execute();
    onTestFinished(async () => void (await db.deleteFrom('paymentRecipients').where('address', '=', payer).execute()));
    await sendSnaps(site.key, [
      { address: user.address, snaps: 49 },
      { address: payer, snaps: 1000 },
      { address: newWallet().toSuiAddress(), snaps: 50 },
    ]);
    await readPayouts(site.app.services);
    const waiting = await transfers(site);
    expect(new Set(waiting.map(({ cause }) => cause))).toEqual(new Set(['no_withdrawal_amount', 'unknown_wallet']));
    expect(await transfers(site, 'internal')).toMatchObject([{ recipient: payer, tokenAmount: 1000 }]);
    const ids = waiting.map(({ id }) => id);
    expect((await decide(site, ids, 'withdrawal')).status).toBe(409);
    expect((await decide(site, ids, 'explained')).status).toBe(200);
  });

  test('a history in many parts is read to its end', async () => {
    await chain.control({ scanLimit: 1 });
    const { withdrawal } = await approved();
    for (let i = 0; i < 3; i += 1) await fund(chain, newWallet().toSuiAddress());
    await payOut(site, withdrawal);
    expect((await history(site)).wallets[0]).toMatchObject({ state: 'complete' });
  });

  test.each<[what: string, error: string, state: string, fail: () => Promise<unknown> | void]>([
    ['is unreachable', 'chain_unreachable', 'unreachable', () => chain.control({ down: true })],
    ['has not indexed the newest', 'history_behind', 'behind', () => chain.control({ indexDelayMs: 60_000 })],
  ])('while the chain %s, nothing is prepared, sent or rejected', async (_what, error, state, fail) => {
    const [one, two] = [await approved(), await approved()];
    const { body: batch } = await prepare(site, one.withdrawal);
    const signed = await sign(site, batch);
    await chain.control({ indexDelayMs: 0 });
    await fund(chain, newWallet().toSuiAddress());
    await fail();
    await fund(chain, newWallet().toSuiAddress()).catch(() => undefined);
    const responses = await Promise.all([
      prepare(site, two.withdrawal),
      site.panel.post(`/api/admin/payouts/${batch.batchId}/execute`, signed),
      site.panel.post(`/api/admin/withdrawals/${two.withdrawal}/reject`, { reason: 'No' }),
    ]);
    for (const response of responses) expect(response).toMatchObject({ status: 503, body: { error } });
    expect((await history(site)).wallets[0]).toMatchObject({ state });
    await chain.control({ down: false, indexDelayMs: 0 });
    expect(
      (await site.panel.post<PayoutBatch>(`/api/admin/payouts/${batch.batchId}/execute`, signed)).body,
    ).toMatchObject({
      state: 'paid',
    });
  });

  test('a node whose newest checkpoint is old by our clock may not know the newest payouts', async () => {
    const { withdrawal } = await approved();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 360_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await prepare(site, withdrawal)).toMatchObject({ status: 503, body: { error: 'history_behind' } });
  });

  test('payouts wait for a history that the node has pruned until the owner confirms it in writing', async () => {
    const { withdrawal } = await approved();
    await readPayouts(site.app.services);
    const wallet = site.key.toSuiAddress();
    const confirm = (reason: string) =>
      site.panel.post<PayoutHistory>('/api/admin/payout-history/confirm', { wallet, reason });
    expect((await confirm('Nothing is missing')).status).toBe(409);
    await fund(chain, newWallet().toSuiAddress());
    const { tip } = needed((await history(site)).wallets[0]);
    await fund(chain, newWallet().toSuiAddress());
    await chain.control({ lowestCheckpoint: tip + 2 });
    expect(await prepare(site, withdrawal)).toMatchObject({ status: 503, body: { error: 'history_pruned' } });
    expect((await history(site)).wallets[0]).toMatchObject({ state: 'pruned', lowest: tip + 2 });
    expect((await confirm(' ')).status).toBe(400);
    expect(await confirm('Looked at the explorer')).toMatchObject({
      status: 200,
      body: { wallets: [{ state: 'complete' }] },
    });
    await payOut(site, withdrawal);
    const { body } = await site.panel.get<{ detail: string; actor: string }[]>('/api/admin/audit?q=history.confirm');
    expect(body).toMatchObject([{ actor: wallet, detail: expect.stringContaining('Looked at the explorer') }]);
  });
});
