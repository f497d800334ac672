import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { buildPay } from '#chain/book.ts';
import { SUBMIT_FEE_MIST } from '#shared/constants.ts';
import type { Payment } from '#shared/contract/payments.ts';
import type { PreparedPayout, SentPayout } from '#shared/contract/payouts.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { recoverPayments } from './money/payments/recover.ts';
import { settlePayouts } from './money/payouts/settle.ts';
import { createSharedFamilies } from '#ops/metrics/shared.ts';
import { planDay } from './figures/standing/plan.ts';
import { readStanding, readStandingNow } from './figures/standing/read-standing.ts';
import { signInAsAdmin } from '#lab/testing/admin-panel.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { makeBook } from '#lab/testing/book.ts';
import { empty, grantTokens } from '#lab/testing/builders.ts';
import { startMixedPool } from '#lab/testing/chain-proxy.ts';
import {
  balanceMist,
  fund,
  fundedWallet,
  type OwnChain,
  pay,
  portsOf,
  send,
  sharedChain,
  sign,
  signPayment,
  startChain,
  type TestChain,
} from '#lab/testing/chain.ts';
import { Client, newUser, type TestUser } from '#lab/testing/client.ts';
import { executeSigned, newDraft, prepareSubmit, submitPaid } from '#lab/testing/drafts.ts';
import { evidenceOf, insertVoter, noonOf, readDay } from '#lab/testing/standing.ts';
import { newWallet } from '#lab/testing/wallets.ts';

/*
 * A node can be reset, or a balancer can lead to one of another network, while servers run: SUI_RPC_URL then leads to
 * another chain (R68). The chain of this file is stopped, and a fresh one starts on the same ports.
 */

let chain: OwnChain = await startChain();
const ports = portsOf(chain);
afterAll(() => chain.stop());

async function swapChain(): Promise<void> {
  await chain.stop();
  chain = await startChain(ports);
}

const adminKey = newWallet();
const { demoCoin, accounts } = await fetchDemoAccounts(chain.faucetUrl);
const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
const env = {
  SUI_RPC_URL: chain.rpcUrl,
  SUI_FAUCET_URL: chain.faucetUrl,
  ADMIN_WALLET: adminKey.toSuiAddress(),
  SNAPS_COIN_TYPE: demoCoin.coinType,
  SNAPS_DECIMALS: String(demoCoin.decimals),
};

async function newServer() {
  const server = await startServer(database.databaseUrl, { env });
  onTestFinished(() => server.close());
  return server;
}

const database = await createTestApp({ env });
const { db } = database.services;

beforeEach(async () => {
  await empty(db);
});
afterEach(() => chain.control({ down: false }));

const payments = async (user: TestUser) => (await user.get<Payment[]>('/api/payments')).body;
const attempts = async () => (await db.selectFrom('payments').select(['state', 'attempts']).execute()) as unknown;
const chainOf = async (url: string) => (await new Client(url).get<{ chain: string }>('/readyz')).body.chain;

test('a reading trusts no balance of another chain, uses up no attempt, and continues when the chain is back [R37 R68]', async () => {
  const server = await newServer();
  const wallet = newWallet();
  await fund(chain, wallet.toSuiAddress());
  const voter = await insertVoter(db, wallet.toSuiAddress());
  await readDay(server.services, 0);
  expect(await evidenceOf(db, voter)).toMatchObject({ read: 1, held: 1 });
  const now = noonOf(1);
  await planDay(db, now, [now, now]);
  await swapChain();
  for (let round = 0; round < 5; round += 1) await readStanding(server.services, now);
  expect(await evidenceOf(db, voter)).toMatchObject({ read: 1, held: 1 });
  const reads = await db.selectFrom('standingReads').select(['attempts', 'hasEnough']).execute();
  for (const read of reads) expect(read).toEqual({ attempts: 0, hasEnough: null });
  expect(await db.selectFrom('standingDays').select('wallets').execute()).toEqual([{ wallets: 1 }]);
});

test('a reading uses up no attempt while the node is down, for any number of rounds [R37 R68]', async () => {
  const server = await newServer();
  const voter = await insertVoter(db);
  await readDay(server.services, 0);
  const now = noonOf(1);
  await planDay(db, now, [now, now]);
  await chain.control({ down: true });
  for (let round = 0; round < 5; round += 1) await readStanding(server.services, now);
  expect(await db.selectFrom('standingDays').select('skipped').execute()).toEqual([{ skipped: null }]);
  await chain.control({ down: false });
  await readDay(server.services, 1);
  expect(await evidenceOf(db, voter)).toMatchObject({ read: 2, held: 0 });
});

test('a payment on another chain fulfills no order, and one that was signed before is not given up [R17 R68]', async () => {
  const server = await newServer();
  const payer = await newUser(server, await fundedWallet(chain));
  const signed = await signPayment(chain, payer.wallet, SUBMIT_FEE_MIST, adminKey.toSuiAddress());
  const { paymentId } = (await prepareSubmit(payer, await newDraft())).body;
  await swapChain();
  await fund(chain, payer.address);
  const digest = await pay(chain, payer.wallet, SUBMIT_FEE_MIST, adminKey.toSuiAddress());
  const other = await newUser(server, await fundedWallet(chain));
  const otherDigest = await pay(chain, other.wallet, SUBMIT_FEE_MIST, adminKey.toSuiAddress());
  expect(digest).not.toBe(signed.digest);
  expect(await submitPaid(other, await newDraft(), otherDigest)).toMatchObject({
    status: 202,
    body: { status: 'pending', phase: 'looking' },
  });
  // The fresh chain knows none of the coins: it rejects what was signed for the one before.
  expect(await executeSigned(payer, paymentId, signed)).toMatchObject({ status: 202, body: { phase: 'looking' } });
  await sql`UPDATE payments SET next_try_at = now(), signed_at = now() - interval '30 hours'`.execute(db);
  await recoverPayments(server.services);
  expect(await attempts()).toEqual([
    { state: 'signed', attempts: 0 },
    { state: 'signed', attempts: 0 },
  ]);
  expect(await db.selectFrom('projects').select('id').execute()).toEqual([]);
  expect(await balanceMist(chain, adminKey.toSuiAddress())).toBe(2n * SUBMIT_FEE_MIST);
});

test('a paid order waits while the node serves another chain, and is fulfilled once ours is back [R68]', async () => {
  const server = await newServer();
  const payer = await newUser(server, await fundedWallet(chain));
  const draft = await newDraft();
  const { paymentId } = (await prepareSubmit(payer, draft)).body;
  const signed = await signPayment(chain, payer.wallet, SUBMIT_FEE_MIST, adminKey.toSuiAddress());
  expect((await executeSigned(payer, paymentId, signed)).status).toBe(200);
  await chain.control({ down: true });
  expect(await submitPaid(payer, draft, signed.digest)).toMatchObject({ status: 202, body: { phase: 'received' } });
  await sql`UPDATE payments SET next_try_at = now()`.execute(db);
  await recoverPayments(server.services);
  expect(await payments(payer)).toMatchObject([{ state: 'paid' }]);
  await chain.control({ down: false });
  await recoverPayments(server.services);
  expect(await payments(payer)).toMatchObject([{ state: 'fulfilled' }]);
});

async function fundAdmin(on: TestChain): Promise<void> {
  await fund(on, adminKey.toSuiAddress());
  const transaction = new Transaction();
  const coin = coinWithBalance({ type: demoCoin.coinType, balance: 1_000n * 10n ** BigInt(demoCoin.decimals) });
  transaction.transferObjects([coin], adminKey.toSuiAddress());
  transaction.setSender(treasury.toSuiAddress());
  await send(on, [treasury], transaction);
}

test('no payout is prepared, sent, or settled by another chain [R33 R68 R97]', async () => {
  await fundAdmin(chain);
  const book = await makeBook(chain.client, adminKey, { coinType: demoCoin.coinType });
  const server = await startServer(database.databaseUrl, { env: { ...env, SNAPS_BOOK: book.id } });
  onTestFinished(() => server.close());
  await settlePayouts(server.services);
  const panel = await signInAsAdmin(server, adminKey);
  const user = await newUser(server);
  await grantTokens(db, user.id, 100);
  const body = { userId: user.id, walletAddress: user.address, tokenAmount: 60 };
  const { id } = (await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body)).body.withdrawal;
  await panel.post(`/api/admin/withdrawals/${id}/approve`);
  const prepare = () => panel.post<PreparedPayout>('/api/admin/payouts', { withdrawalIds: [id] });
  const { due } = (await prepare()).body;
  const units = due.map(({ account, total, atMost }) => ({ account, total: BigInt(total), atMost: BigInt(atMost) }));
  const terms = { book, sender: adminKey.toSuiAddress(), due: units };
  const { bytes, signature } = await sign(chain, adminKey, await buildPay(chain.client, terms));
  await swapChain();
  const refused = { status: 503, body: { error: 'chain_unreachable' } };
  expect(await prepare()).toMatchObject(refused);
  expect(await panel.post(`/api/admin/withdrawals/${id}/reject`, { reason: 'No' })).toMatchObject(refused);
  const sent = await panel.post<SentPayout>('/api/admin/payouts/send', {
    withdrawalIds: [id],
    signed: { bytes, signature },
  });
  expect(sent.body.paidIds).toEqual([]);
  await expect(settlePayouts(server.services)).rejects.toThrow(/cannot be asked/);
  expect(await db.selectFrom('withdrawals').select('state').execute()).toEqual([{ state: 'approved' }]);
});

test('the admin of a demo reads nothing from a node that is down, or that serves another chain [R68]', async () => {
  const server = await newServer();
  const voter = await insertVoter(db);
  await chain.control({ down: true });
  await expect(readStandingNow(server.services)).rejects.toMatchObject({ code: 'node_away' });
  await chain.control({ down: false });
  await swapChain();
  await expect(readStandingNow(server.services)).rejects.toMatchObject({ code: 'other_chain' });
  expect(await evidenceOf(db, voter)).toBeUndefined();
});

test('/readyz and /metrics report that the node serves another chain [R68]', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await newServer();
  expect(await chainOf(server.url)).toBe('up');
  await swapChain();
  const later = await newServer();
  // The last look is as old as it may be.
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => chainOf(server.url)).toBe('other');
  const status = await server.services.chainStatus.read();
  const families = await createSharedFamilies(server.services)();
  expect(status).toEqual({ state: 'other', behindMs: null });
  expect(families.find(({ name }) => name === 'snapswipe_chain_other')?.values).toMatchObject([{ value: 1 }]);
  // Votes need no chain, and a server that starts now takes the fresh one for its own.
  expect((await new Client(server.url).get('/readyz')).status).toBe(200);
  expect(await chainOf(later.url)).toBe('up');
});

test('the responses of the node of another chain in a pool are not trusted [R68]', async () => {
  const pool = await startMixedPool({ ours: inject('rpcUrl'), other: chain.rpcUrl });
  onTestFinished(() => pool.close());
  const server = await startServer(database.databaseUrl, { env: { SUI_RPC_URL: pool.url } });
  onTestFinished(() => server.close());
  const payer = await newUser(server, await fundedWallet(chain));
  const digest = await pay(chain, payer.wallet, SUBMIT_FEE_MIST, server.services.config.adminWallet);
  const rich = await fundedWallet(sharedChain());
  const voter = await insertVoter(db, rich.toSuiAddress());
  pool.mix(true);
  expect(await submitPaid(payer, await newDraft(), digest)).toMatchObject({ status: 202 });
  const now = noonOf(0);
  await planDay(db, now, [now, now]);
  await readStanding(server.services, now);
  expect(await db.selectFrom('standingReads').select(['hasEnough', 'attempts']).execute()).toEqual([
    { hasEnough: null, attempts: 0 },
  ]);
  pool.mix(false);
  await readDay(server.services, 0);
  expect(await evidenceOf(db, voter)).toMatchObject({ read: 1, held: 1 });
});
