// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PreparedPayout, preparePayout, sendPayout } from '#shared/contract/payouts.ts';
import { Transaction } from '@mysten/sui/transactions';
import type { buildPay } from '#chain/book.ts';
import { NotEnoughCoinsError } from '#chain/funds.ts';
import { setSite } from '../../../lib/site.ts';
import type { WalletModule } from '../../../lib/wallet-state.ts';
import { ADDRESS, SITE } from '../../../testing/made-up.ts';
import { TestServer } from '../../../testing/test-server.ts';
import { isUnsupported, UnsupportedFeatureError } from '../../../wallet/errors.ts';
import { adminToken } from '../admin-session.ts';
import { payOut as payOutWith } from './payout.ts';

const DIGEST = 'D'.repeat(44);
const BOOK = { id: ADDRESS, packageId: '0x5', coinType: '0x2::snaps::SNAPS', sharedSince: '7' };
const PREPARED: PreparedPayout = {
  book: BOOK,
  sender: SITE.adminWallet,
  due: [{ account: ADDRESS, total: '25000000', atMost: '15000000' }],
  withdrawalIds: [31],
  refused: [],
};
const signTransaction = vi.fn<WalletModule['signTransaction']>();
const signAndExecute = vi.fn<WalletModule['signAndExecute']>();
const TRANSACTION = new Transaction();
const build = vi.fn<typeof buildPay>();
const payOut = (ids = [31]) =>
  payOutWith(ids, {
    loadWallet: () => Promise.resolve({ signTransaction, signAndExecute, isUnsupported }),
    loadBuilder: () => Promise.resolve(build),
  });
let server = new TestServer();

beforeEach(() => {
  server = new TestServer();
  server.listen();
  setSite(SITE);
  adminToken.set('token');
  server.respond(preparePayout, PREPARED);
  server.respond(sendPayout, { digest: DIGEST, paidIds: [31] });
  build.mockReset().mockResolvedValue(TRANSACTION);
  signTransaction.mockReset().mockResolvedValue({ bytes: 'AA==', signature: 'BB==', address: SITE.adminWallet });
  signAndExecute.mockReset().mockResolvedValue({ digest: DIGEST, address: SITE.adminWallet });
});
afterEach(() => vi.unstubAllGlobals());

test('one call of the Book for all withdrawals is built, signed and handed to the server [R33 R97]', async () => {
  await expect(payOut()).resolves.toMatchObject({ title: 'Payout sent', description: '1 withdrawal paid.' });
  expect(build.mock.calls[0]?.[1]).toEqual({
    book: BOOK,
    sender: SITE.adminWallet,
    due: [{ account: ADDRESS, total: 25_000_000n, atMost: 15_000_000n }],
  });
  expect(signTransaction).toHaveBeenCalledExactlyOnceWith(TRANSACTION);
  expect(server.calls(sendPayout)[0]?.body).toEqual({
    withdrawalIds: [31],
    signed: { bytes: 'AA==', signature: 'BB==' },
  });
  expect(server.violations).toEqual([]);
});

test('a rejecting wallet, too little of the coin, and a node that is away send nothing', async () => {
  signTransaction.mockRejectedValue(new Error('You declined the request in your wallet.'));
  await expect(payOut()).rejects.toThrow('You declined the request in your wallet.');
  expect(signAndExecute).not.toHaveBeenCalled();
  build.mockRejectedValue(new NotEnoughCoinsError({ heldUnits: 3n, neededUnits: 15n }));
  await expect(payOut()).rejects.toThrow('The wallet does not hold enough of the payout coin');
  build.mockRejectedValue(new Error('The node is away'));
  await expect(payOut()).rejects.toThrow('The node is away');
  expect(server.calls(sendPayout)).toEqual([]);
});

test('a wallet that sends what it signs pays as well, and the server settles it', async () => {
  signTransaction.mockRejectedValue(new UnsupportedFeatureError('signTransaction'));
  await payOut();
  expect(signAndExecute).toHaveBeenCalledTimes(1);
  expect(server.calls(sendPayout)[0]?.body).toEqual({ withdrawalIds: [31], signed: { digest: DIGEST } });
});

test('the toast says what the chain refuses, or has not confirmed yet [R79]', async () => {
  server.respond(preparePayout, { ...PREPARED, refused: [{ withdrawalIds: [32], reason: 'denied' }] });
  await expect(payOut([31, 32])).resolves.toMatchObject({
    description: expect.stringMatching(/The chain refuses 1 withdrawal/),
  });
  server.respond(sendPayout, { digest: DIGEST, paidIds: [] });
  await expect(payOut()).resolves.toMatchObject({ title: 'Payout on its way', variant: 'default' });
});
