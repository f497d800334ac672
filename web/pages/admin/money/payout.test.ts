// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { executePayout, type PayoutBatch } from '#shared/contract/admin.ts';
import { Transaction } from '@mysten/sui/transactions';
import { type buildBoundPayout, NotEnoughCoinsError } from '#chain/payout.ts';
import { setSite } from '../../../lib/site.ts';
import type { WalletModule } from '../../../lib/wallet-state.ts';
import { ADDRESS, SITE, TIME } from '../../../testing/made-up.ts';
import { TestServer } from '../../../testing/test-server.ts';
import { isUnsupported, UnsupportedFeatureError } from '../../../wallet/errors.ts';
import { adminToken } from '../admin-session.ts';
import { payBatch as payBatchWith } from './payout.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const DIGEST = 'D'.repeat(44);
const BATCH: PayoutBatch = {
  batchId: ID,
  state: 'prepared',
  coinType: '0x2::snaps::SNAPS',
  sender: null,
  digest: null,
  note: null,
  recipients: [{ withdrawalId: 31, walletAddress: ADDRESS, tokenAmount: 15, amountUnits: '15000000' }],
  createdAt: TIME,
};
const PAID = { ...BATCH, state: 'paid' as const };
const EARLY = { error: 'not_found_yet', message: 'Not there yet' };
const signTransaction = vi.fn<WalletModule['signTransaction']>();
const signAndExecute = vi.fn<WalletModule['signAndExecute']>();
const TRANSACTION = new Transaction();
TRANSACTION.objectRef({ objectId: ADDRESS, version: '1', digest: DIGEST });
const build = vi.fn<typeof buildBoundPayout>();
const payBatch = (batch: PayoutBatch) =>
  payBatchWith(batch, {
    loadWallet: () => Promise.resolve({ signTransaction, signAndExecute, isUnsupported }),
    loadBuilder: () => Promise.resolve(build),
  });
let server = new TestServer();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = new TestServer();
  server.listen();
  setSite(SITE);
  adminToken.set('token');
  build.mockReset().mockResolvedValue(TRANSACTION);
  signTransaction.mockReset().mockResolvedValue({ bytes: 'AA==', signature: 'BB==', address: SITE.adminWallet });
  signAndExecute.mockReset().mockResolvedValue({ digest: DIGEST, address: SITE.adminWallet });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
/** The error of wallets that send what they sign. */
const cannotOnlySign = () => signTransaction.mockRejectedValue(new UnsupportedFeatureError('signTransaction'));

test('one transaction for all withdrawals is built, signed and handed to the server [R33]', async () => {
  server.respond(executePayout, PAID);
  await expect(payBatch(BATCH)).resolves.toEqual(PAID);
  expect(build.mock.calls[0]?.[1]).toEqual({
    sender: SITE.adminWallet,
    coinType: '0x2::snaps::SNAPS',
    transfers: [{ address: ADDRESS, amountUnits: 15_000_000n }],
  });
  expect(signTransaction).toHaveBeenCalledExactlyOnceWith(TRANSACTION);
  expect(server.calls(executePayout)).toMatchObject([
    { params: { id: ID }, body: { bytes: 'AA==', signature: 'BB==' } },
  ]);
  expect(signAndExecute).not.toHaveBeenCalled();
  expect(server.violations).toEqual([]);
});

test('a rejecting wallet, too little of the coin, and a batch without a coin pay nothing', async () => {
  signTransaction.mockRejectedValue(new Error('You declined the request in your wallet.'));
  await expect(payBatch(BATCH)).rejects.toThrow('You declined the request in your wallet.');
  expect(signAndExecute).not.toHaveBeenCalled();
  build.mockRejectedValue(new NotEnoughCoinsError({ heldUnits: 3n, neededUnits: 15n }));
  await expect(payBatch(BATCH)).rejects.toThrow('The wallet does not hold enough of the payout coin');
  build.mockRejectedValue(new NotEnoughCoinsError({ heldUnits: 20n, neededUnits: 15n }));
  await expect(payBatch(BATCH)).rejects.toThrow(/too many small coins/);
  build.mockRejectedValue(new Error('The node is away'));
  await expect(payBatch(BATCH)).rejects.toThrow('The node is away');
  await expect(payBatch({ ...BATCH, coinType: null })).rejects.toThrow(/No .*coin is configured/i);
  expect(server.calls(executePayout)).toEqual([]);
});

test('a transaction sent by the wallet is recorded once the server has seen it [R17]', async () => {
  cannotOnlySign();
  server.reject(executePayout, 404, EARLY);
  const paid = payBatch(BATCH);
  const asked = () => server.calls(executePayout).length;
  while (vi.getTimerCount() === 0) await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(999);
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  while (vi.getTimerCount() === 0) await vi.advanceTimersByTimeAsync(0);
  expect(asked()).toBe(2);
  server.respond(executePayout, PAID);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(paid).resolves.toEqual(PAID);
  expect(server.calls(executePayout).at(-1)?.body).toEqual({ transactionHash: DIGEST });
  expect(signAndExecute).toHaveBeenCalledTimes(1);
});

test('a wallet that sends what it signs does not pay Snaps that are in no coin [R82]', async () => {
  cannotOnlySign();
  build.mockResolvedValue(new Transaction());
  await expect(payBatch(BATCH)).rejects.toThrow(/its Snaps are in no coin/);
  expect(signAndExecute).not.toHaveBeenCalled();
});

test('recording stops after 15 attempts, or at any other rejection', async () => {
  cannotOnlySign();
  server.reject(executePayout, 404, EARLY);
  const late = payBatch(BATCH).catch((error: unknown) => error);
  while (server.calls(executePayout).length < 15) await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toMatchObject({ code: 'not_found_yet' });
  expect(server.calls(executePayout)).toHaveLength(15);
  server.reject(executePayout, 409, { error: 'conflict', message: 'It pays another wallet' });
  await expect(payBatch(BATCH)).rejects.toThrow('It pays another wallet');
  expect(server.calls(executePayout)).toHaveLength(16);
});
