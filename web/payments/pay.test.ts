import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WalletModule } from '../wallet-state.ts';
import { openProofs } from './open-proofs.ts';
import { type Order, OrderError } from './order.ts';
import { payForOrder, placeForFree, resumePayments } from './pay.ts';

const PAYER = { userId: 7, walletAddress: `0x${'7'.repeat(64)}` };
const ORDER: Order = { purpose: 'renew', projectId: 3 };
const PREPARED = { paymentId: 'p1', amountMist: '15000000000', recipient: `0x${'a'.repeat(64)}`, expiresAt: 'later' };
const PROJECT = { id: 3, name: 'Coral' };
const DIGEST = 'D'.repeat(44);

type Reply = { status: number; body: object } | 'offline';
let replies: Record<string, Reply>;
let calls: Array<{ path: string; body: unknown }>;
const wallet = {
  signTransaction: vi.fn<WalletModule['signTransaction']>(),
  signAndExecute: vi.fn<WalletModule['signAndExecute']>(),
};
const deps = { loadWallet: async () => wallet, onPlacing: () => undefined };

/** The server, answering by the last word of the path. */
async function serve(path: string, init: RequestInit): Promise<Response> {
  const word = path.split('/').at(-1) ?? '';
  calls.push({ path, body: JSON.parse(typeof init.body === 'string' ? init.body : 'null') });
  const reply = replies[word] ?? { status: 500, body: {} };
  if (reply === 'offline') throw new TypeError('fetch failed');
  return Response.json(reply.body, { status: reply.status });
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  calls = [];
  replies = {
    payments: { status: 201, body: PREPARED },
    execute: { status: 200, body: { transactionHash: DIGEST } },
    renew: { status: 200, body: PROJECT },
  };
  wallet.signTransaction.mockReset().mockResolvedValue({ bytes: 'AA', signature: 'BB', address: PAYER.walletAddress });
  wallet.signAndExecute.mockReset().mockResolvedValue({ digest: DIGEST, address: PAYER.walletAddress });
  vi.stubGlobal('fetch', serve);
});
afterEach(() => vi.unstubAllGlobals());

const words = () => calls.map((call) => call.path.split('/').at(-1));
const stageOf = (error: unknown) => (error instanceof OrderError ? error.stage : 'none');
const pay = () => payForOrder(ORDER, PAYER, deps).catch(stageOf);

describe('[R16] payForOrder', () => {
  test('stores, signs, executes, places, in this order, and asks the wallet once', async () => {
    wallet.signTransaction.mockImplementation(async () => {
      expect(words()).toEqual(['payments']);
      return { bytes: 'AA', signature: 'BB', address: PAYER.walletAddress };
    });
    expect(await pay()).toEqual({ state: 'done', project: PROJECT });
    expect(words()).toEqual(['payments', 'execute', 'renew']);
    expect(calls.at(-1)?.body).toEqual({ walletAddress: PAYER.walletAddress, transactionHash: DIGEST });
    expect(wallet.signTransaction).toHaveBeenCalledTimes(1);
    expect(openProofs(PAYER.userId)).toEqual([]);
  });

  test('what the server refuses to store never reaches the wallet', async () => {
    replies.payments = { status: 400, body: { error: 'invalid_field', message: 'No', field: 'name' } };
    expect(await pay()).toBe('prepare');
    expect(wallet.signTransaction).not.toHaveBeenCalled();
  });

  test('a refused popup sends nothing', async () => {
    wallet.signTransaction.mockRejectedValue(new Error('User rejected the request'));
    expect(await pay()).toBe('pay');
    expect(words()).toEqual(['payments']);
    expect(wallet.signAndExecute).not.toHaveBeenCalled();
    expect(openProofs(PAYER.userId)).toEqual([]);
  });

  test.each<[string, Reply]>([
    ['the connection is lost', 'offline'],
    ['the server crashed', { status: 502, body: {} }],
    ['there were too many requests', { status: 429, body: {} }],
    ['the session ended meanwhile', { status: 401, body: {} }],
  ])(
    '%s while it is executed: pending, kept for the next visit, which hands the same signature over',
    async (_name, reply) => {
      replies.execute = reply;
      expect(await pay()).toEqual({ state: 'pending' });
      expect(openProofs(PAYER.userId)).toHaveLength(1);
      expect(openProofs(8)).toEqual([]);
      replies.execute = { status: 200, body: { transactionHash: DIGEST } };
      expect(await resumePayments(PAYER.userId)).toBe(true);
      expect(calls.at(-1)).toEqual({ path: '/api/payments/p1/execute', body: { bytes: 'AA', signature: 'BB' } });
      expect(wallet.signTransaction).toHaveBeenCalledTimes(1);
      expect(await resumePayments(PAYER.userId)).toBe(false);
    },
  );

  test('[R17] the chain has not spoken: pending, and nothing is placed', async () => {
    replies.execute = { status: 202, body: { status: 'pending', message: 'm', transactionHash: DIGEST } };
    expect(await pay()).toEqual({ state: 'pending' });
    expect(words()).toEqual(['payments', 'execute']);
  });

  test('a payment that failed for good is told, and forgotten', async () => {
    replies.execute = { status: 409, body: { error: 'payment_failed', message: 'Nothing was paid' } };
    expect(await pay()).toBe('pay');
    expect(openProofs(PAYER.userId)).toEqual([]);
  });

  test('paid, and then the connection is lost: pending, never a failure', async () => {
    replies.renew = 'offline';
    expect(await pay()).toEqual({ state: 'pending' });
    replies.renew = { status: 409, body: { error: 'payment_unclaimed', message: 'The admin will look at it' } };
    expect(await pay()).toBe('place');
  });
});

describe('[R17 S8.4] wallets that cannot sign only', () => {
  const unsupported = (feature: string) => new Error(`This wallet doesn't support the ${feature} feature.`);

  test('sign and send in one, and name the digest for the draft', async () => {
    wallet.signTransaction.mockRejectedValue(unsupported('signTransaction'));
    expect(await pay()).toEqual({ state: 'done', project: PROJECT });
    expect(calls[1]?.body).toEqual({ transactionHash: DIGEST });
  });

  test('that can do neither are named for what was asked first', async () => {
    wallet.signTransaction.mockRejectedValue(unsupported('signTransaction'));
    wallet.signAndExecute.mockRejectedValue(unsupported('signAndExecuteTransaction'));
    await expect(payForOrder(ORDER, PAYER, deps)).rejects.toMatchObject({
      stage: 'pay',
      cause: unsupported('signTransaction'),
    });
  });
});

test('[R18] the admin’s orders are placed without a payment', async () => {
  expect(await placeForFree(ORDER, PAYER, deps)).toEqual({ state: 'done', project: PROJECT });
  expect(words()).toEqual(['renew']);
  expect(calls[0]?.body).toEqual({ walletAddress: PAYER.walletAddress });
});
