import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { coinWithBalance, Transaction } from '@mysten/sui/transactions';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { type Book, buildPay, readPaid } from '#chain/book.ts';
import type { PreparedPayout, SentPayout } from '#shared/contract/payouts.ts';
import type { Withdrawal } from '#shared/contract/withdrawals.ts';
import { fetchDemoAccounts } from '#shared/testing/demo-accounts.ts';
import { settlePayouts } from '#server/money/payouts/settle.ts';
import { findDifferences } from '#server/money/ledger/check-invariants.ts';
import { createTestApp } from './app.ts';
import { grantTokens } from './builders.ts';
import { newUser, type TestUser } from './client.ts';
import { fund, startChain } from './chain.ts';
import { startChainProxy } from './chain-proxy.ts';
import { signInAsAdmin } from './admin-panel.ts';
import { insertApproved } from './approved-withdrawals.ts';
import { makeBook } from './book.ts';
import { letStand } from './standing.ts';
import { newWallet } from './wallets.ts';

export interface Payee {
  user: TestUser;
  withdrawal: Withdrawal;
}

export async function openPayouts(more: Record<string, string> = {}, payers: string[] = []) {
  /** A chain of this file's own: it is stopped and slowed down here while other files use theirs. */
  const chain = await startChain();
  afterAll(() => chain.stop());

  const adminKey = newWallet();
  const ADMIN = adminKey.toSuiAddress();
  const { accounts, demoCoin } = await fetchDemoAccounts(chain.faucetUrl);
  const treasury = Ed25519Keypair.fromSecretKey(accounts[0]?.secretKey ?? '');
  const UNIT = 10n ** BigInt(demoCoin.decimals);

  const proxy = await startChainProxy(chain.rpcUrl);
  afterAll(() => proxy.close());

  await Promise.all([fund(chain, ADMIN), fund(chain, ADMIN)]);
  const book: Book = await makeBook(chain.client, adminKey, { coinType: demoCoin.coinType, payers });
  const env = {
    SUI_RPC_URL: proxy.url,
    SUI_FAUCET_URL: chain.faucetUrl,
    ADMIN_WALLET: ADMIN,
    SNAPS_COIN_TYPE: demoCoin.coinType,
    SNAPS_DECIMALS: String(demoCoin.decimals),
    SNAPS_BOOK: book.id,
    ...more,
  };
  const server = await createTestApp({ env });
  const { db } = server.services;
  const sui = chain.client;

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

  await sendSnaps(treasury, [
    { address: ADMIN, units: 30_000n * UNIT },
    { address: ADMIN, units: 70_000n * UNIT },
  ]);
  const panel = await signInAsAdmin(server, adminKey);
  // The Book begins with the first settlement.
  await settlePayouts(server.services);

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

  /** An approved withdrawal of all these tokens, which the user has just earned. */
  async function approvedFor(user: TestUser, tokens: number): Promise<Payee> {
    await grantTokens(db, user.id, tokens);
    const body = { userId: user.id, walletAddress: user.address, tokenAmount: tokens };
    const { withdrawal } = (await user.post<{ withdrawal: Withdrawal }>('/api/withdrawals', body)).body;
    expect((await panel.post(`/api/admin/withdrawals/${withdrawal.id}/approve`)).status).toBe(200);
    return { user, withdrawal };
  }

  const payee = async (tokens: number): Promise<Payee> => approvedFor(await newUser(server), tokens);

  /** Another approved withdrawal of the same wallet. */
  async function another({ user }: Payee, tokens: number): Promise<Payee> {
    await letStand(db, user.id);
    return approvedFor(user, tokens);
  }

  const approvedWithdrawals = async (wallets: string[], tokensOf: (n: number) => number): Promise<number[]> =>
    (await insertApproved(db, wallets, tokensOf)).map(({ id }) => id);

  const idsOf = (payees: Payee[]): number[] => payees.map(({ withdrawal }) => withdrawal.id);
  const prepare = (...payees: Payee[]) =>
    panel.post<PreparedPayout & { error?: string; message?: string }>('/api/admin/payouts', {
      withdrawalIds: idsOf(payees),
    });

  async function prepared(...payees: Payee[]): Promise<PreparedPayout> {
    const response = await prepare(...payees);
    expect([response.status, response.body.message]).toEqual([200, undefined]);
    return response.body;
  }

  async function sign(
    { book: called, sender, due }: PreparedPayout,
    key: Ed25519Keypair = adminKey,
  ): Promise<{ bytes: string; signature: string }> {
    const units = due.map(({ account, total, atMost }) => ({ account, total: BigInt(total), atMost: BigInt(atMost) }));
    return key.signTransaction(
      await (await buildPay(sui, { book: called, sender, due: units })).build({ client: sui }),
    );
  }

  const send = ({ withdrawalIds }: { withdrawalIds: number[] }, signed: object) =>
    panel.post<SentPayout & { error?: string; message?: string }>('/api/admin/payouts/send', { withdrawalIds, signed });

  async function payOut(...payees: Payee[]): Promise<SentPayout> {
    const payout = await prepared(...payees);
    const response = await send(payout, await sign(payout));
    expect([response.status, response.body.message]).toEqual([200, undefined]);
    return response.body;
  }

  const paidTo = async (address: string): Promise<bigint> => (await readPaid(sui, book, [address]))[0]?.total ?? 0n;

  async function stateOf({ user, withdrawal }: Payee): Promise<Withdrawal> {
    const { body } = await user.get<{ withdrawals: Withdrawal[] }>('/api/withdrawals');
    const found = body.withdrawals.find(({ id }) => id === withdrawal.id);
    if (!found) throw new Error('the withdrawal is gone');
    return found;
  }

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

  return {
    chain,
    adminKey,
    ADMIN,
    demoCoin,
    treasury,
    UNIT,
    proxy,
    env,
    server,
    db,
    sui,
    panel,
    sendSnaps,
    snapsOf,
    payee,
    another,
    fundAdmin: () => fund(chain, ADMIN),
    approvedWithdrawals,
    book,
    prepare,
    prepared,
    sign,
    send,
    payOut,
    paidTo,
    stateOf,
    auditOf,
    ledgerOf,
  };
}
