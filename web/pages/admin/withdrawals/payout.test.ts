// @vitest-environment happy-dom
/** Paying a batch with the admin's wallet: built, signed, handed to the server; or sent by the wallet and recorded. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { executePayout, type PayoutBatch } from '#shared/contract/admin.ts';
import { buildPayout, NotEnoughCoinsError } from '#chain/payout.ts';
import { setSite } from '../../../lib/site.ts';
import { ADDRESS, SITE, TIME } from '../../../testing/made-up.ts';
import { TestServer } from '../../../testing/test-server.ts';
import { isUnsupported } from '../../../wallet/errors.ts';
import { loadWallet } from '../../../wallet-gate.ts';
import { adminToken } from '../admin-session.ts';
import { payBatch } from './payout.ts';

vi.mock('../../../wallet-gate.ts', () => ({ loadWallet: vi.fn<() => Promise<unknown>>() }));
vi.mock('#chain/payout.ts', async (original) => ({
  ...(await original<object>()),
  buildPayout: vi.fn<() => Promise<unknown>>(),
}));

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

const signTransaction = vi.fn<(transaction: unknown) => Promise<{ bytes: string; signature: string }>>();
const signAndExecute = vi.fn<(transaction: unknown) => Promise<{ digest: string }>>();
let server = new TestServer();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = new TestServer();
  server.listen();
  setSite(SITE);
  adminToken.set('token');
  vi.mocked(loadWallet).mockResolvedValue({ signTransaction, signAndExecute, isUnsupported } as never);
  vi.mocked(buildPayout)
    .mockReset()
    .mockResolvedValue('transaction' as never);
  signTransaction.mockReset().mockResolvedValue({ bytes: 'AA==', signature: 'BB==' });
  signAndExecute.mockReset().mockResolvedValue({ digest: DIGEST });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('one transaction for all is built, signed and handed to the server [R33]', async () => {
  server.respond(executePayout, PAID);
  await expect(payBatch(BATCH)).resolves.toEqual(PAID);
  expect(vi.mocked(buildPayout).mock.calls[0]?.[1]).toEqual({
    sender: SITE.adminWallet,
    coinType: '0x2::snaps::SNAPS',
    transfers: [{ address: ADDRESS, amountUnits: 15_000_000n }],
  });
  expect(signTransaction).toHaveBeenCalledExactlyOnceWith('transaction');
  expect(server.calls(executePayout)).toMatchObject([
    { params: { id: ID }, body: { bytes: 'AA==', signature: 'BB==' } },
  ]);
  expect(signAndExecute).not.toHaveBeenCalled();
  expect(server.violations).toEqual([]);
});

test('a rejection by the wallet, too little of the coin, and a batch without a coin pay nothing', async () => {
  signTransaction.mockRejectedValue(new Error('You declined the request in your wallet.'));
  await expect(payBatch(BATCH)).rejects.toThrow('You declined the request in your wallet.');
  expect(signAndExecute).not.toHaveBeenCalled();
  vi.mocked(buildPayout).mockRejectedValue(new NotEnoughCoinsError(15n, 3n));
  await expect(payBatch(BATCH)).rejects.toThrow('Your wallet does not hold enough of the payout coin');
  vi.mocked(buildPayout).mockRejectedValue(new Error('The node is away'));
  await expect(payBatch(BATCH)).rejects.toThrow('The node is away');
  await expect(payBatch({ ...BATCH, coinType: null })).rejects.toThrow(/No .*coin is configured/i);
  expect(server.calls(executePayout)).toEqual([]);
});
