import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { executePayment, preparePayment } from '#shared/contract/payments.ts';
import { renewProject } from '#shared/contract/projects.ts';
import { projectOf } from '../testing/made-up.ts';
import { validResponse } from '../../shared/testing/valid-response.ts';
import type { WalletModule } from '../lib/wallet-state.ts';
import { isUnknownOutcome, isUnsupported, UnknownOutcomeError, UnsupportedFeatureError } from '../wallet/errors.ts';
import { journal } from './journal.ts';
import { type Order, OrderError } from './order.ts';
import { cancelPayment, recordTransaction, payForOrder, placeForFree, resumePayments } from './pay.ts';

const PAYER = { userId: 7, walletAddress: `0x${'7'.repeat(64)}` };
const ORDER: Order = { purpose: 'renew', projectId: 3 };
const PREPARED = validResponse(preparePayment, {
  paymentId: 'p1',
  amountMist: '15000000000',
  recipient: `0x${'a'.repeat(64)}`,
  expiresAt: 'later',
});
const PROJECT = validResponse(renewProject, projectOf(3));
const DIGEST = 'D'.repeat(44);

type Reply = { status: number; body: object } | 'offline';
let replies: Record<string, Reply>;
let calls: Array<{ path: string; body: unknown }>;
const wallet = {
  signTransaction: vi.fn<WalletModule['signTransaction']>(),
  signAndExecute: vi.fn<WalletModule['signAndExecute']>(),
  isUnsupported,
  isUnknownOutcome,
};
const deps = { loadWallet: async () => wallet, onPlacing: () => undefined };

/** The server, whose response depends on the last word of the path. */
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
  journal.reload();
  calls = [];
  replies = {
    payments: { status: 201, body: PREPARED },
    execute: { status: 200, body: validResponse(executePayment, { transactionHash: DIGEST }) },
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

test('a payment is stored, signed, executed and placed, with one request to the wallet [R16]', async () => {
  wallet.signTransaction.mockImplementation(async () => {
    expect(words()).toEqual(['payments']);
    return { bytes: 'AA', signature: 'BB', address: PAYER.walletAddress };
  });
  expect(await pay()).toEqual({ state: 'done', project: PROJECT });
  expect(words()).toEqual(['payments', 'execute', 'renew']);
  expect(calls.at(-1)?.body).toEqual({ walletAddress: PAYER.walletAddress, transactionHash: DIGEST });
  expect(wallet.signTransaction).toHaveBeenCalledTimes(1);
  expect(journal.of(PAYER.userId)).toEqual([]);
});

test('a rejected order never reaches the wallet [R16]', async () => {
  replies.payments = { status: 400, body: { error: 'invalid_field', message: 'No', field: 'name' } };
  expect(await pay()).toBe('prepare');
  expect(wallet.signTransaction).not.toHaveBeenCalled();
});

test('a rejected popup sends nothing [R16]', async () => {
  wallet.signTransaction.mockRejectedValue(new Error('User rejected the request'));
  expect(await pay()).toBe('pay');
  expect(words()).toEqual(['payments']);
  expect(wallet.signAndExecute).not.toHaveBeenCalled();
  expect(journal.of(PAYER.userId)).toEqual([]);
});

test.each<[string, Reply]>([
  ['the connection is lost', 'offline'],
  ['the server says that something may have been paid', { status: 409, body: { error: 'x', nothingPaid: false } }],
  ['the server crashed', { status: 502, body: {} }],
  ['there were too many requests', { status: 429, body: { error: 'rate_limited', message: 'm' } }],
  ['the session ended meanwhile', { status: 401, body: { error: 'not_signed_in', message: 'm' } }],
  ['something rejected it', { status: 403, body: { error: 'forbidden_origin', message: 'm' } }],
  ['something else is in its way', { status: 409, body: {} }],
])(
  '%s during the execution: the payment stays unsent, and the next visit sends the same signature [R16]',
  async (_name, reply) => {
    replies.execute = reply;
    expect(await pay()).toEqual({ state: 'open', phase: 'unsent', paymentId: 'p1' });
    expect(journal.of(PAYER.userId)).toMatchObject([{ phase: 'unsent', purpose: 'renew', projectId: 3 }]);
    expect(journal.of(8)).toEqual([]);
    expect(await resumePayments(PAYER.userId)).toEqual({ changed: false, rejected: [] });
    replies.execute = { status: 200, body: { transactionHash: DIGEST } };
    expect(await resumePayments(PAYER.userId)).toEqual({ changed: true, rejected: [] });
    expect(calls.at(-1)).toEqual({ path: '/api/payments/p1/execute', body: { bytes: 'AA', signature: 'BB' } });
    expect(wallet.signTransaction).toHaveBeenCalledTimes(1);
    expect(journal.of(PAYER.userId)).toMatchObject([{ phase: 'received', proof: null }]);
    const before = calls.length;
    await resumePayments(PAYER.userId);
    expect(calls).toHaveLength(before);
  },
);

test('a payment that the chain has not shown is looked for, and nothing is placed [R17 R16]', async () => {
  const waiting = { status: 'pending', phase: 'looking', message: 'm', transactionHash: DIGEST } as const;
  const body = validResponse(executePayment, waiting);
  replies.execute = { status: 202, body };
  expect(await pay()).toEqual({ state: 'open', phase: 'looking', paymentId: 'p1' });
  expect(words()).toEqual(['payments', 'execute']);
  expect(journal.of(PAYER.userId)).toMatchObject([{ phase: 'looking', proof: null }]);
});

test('a failed payment is reported and removed [R16]', async () => {
  replies.execute = {
    status: 409,
    body: { error: 'payment_failed', message: 'Nothing was paid', nothingPaid: true },
  };
  expect(await pay()).toBe('pay');
  expect(journal.of(PAYER.userId)).toEqual([]);
});

test.each<[string, Reply]>([
  ['the connection is lost', 'offline'],
  ['401', { status: 401, body: { error: 'not_signed_in', message: 'm' } }],
  ['403', { status: 403, body: {} }],
  ['409', { status: 409, body: { error: 'project_hidden', message: 'm' } }],
  ['429', { status: 429, body: {} }],
  ['500', { status: 500, body: {} }],
])('a paid order that meets %s stays received, and is never a failure [R16]', async (_name, reply) => {
  replies.renew = reply;
  expect(await pay()).toEqual({ state: 'open', phase: 'received', paymentId: 'p1' });
  expect(journal.of(PAYER.userId)).toMatchObject([{ phase: 'received' }]);
});

test('a payment of a wrong amount needs review [R16]', async () => {
  const review = { status: 409, body: { error: 'payment_unclaimed', message: 'The admin will look at it' } };
  replies.renew = review;
  expect(await pay()).toMatchObject({ state: 'open', phase: 'review' });
  replies.execute = review;
  expect(await pay()).toMatchObject({ state: 'open', phase: 'review' });
  expect(journal.of(PAYER.userId)).toEqual([]);
});

describe('giving a payment up', () => {
  beforeEach(async () => {
    replies.execute = 'offline';
    await pay();
  });

  test('a canceled payment is removed only after the server has confirmed it [R16]', async () => {
    replies.cancel = 'offline';
    await expect(cancelPayment('p1')).rejects.toThrow('server is away');
    replies.cancel = { status: 409, body: { error: 'payment_sent', message: 'm' } };
    await expect(cancelPayment('p1')).rejects.toThrow('409');
    expect(journal.of(PAYER.userId)).toHaveLength(1);
    replies.cancel = { status: 200, body: {} };
    await cancelPayment('p1');
    expect(journal.of(PAYER.userId)).toEqual([]);
  });

  test('a rejected signature is reported with its payment', async () => {
    replies.execute = { status: 409, body: { error: 'payment_expired', message: 'm', nothingPaid: true } };
    const { rejected } = await resumePayments(PAYER.userId);
    expect(rejected).toMatchObject([{ entry: { paymentId: 'p1' }, error: { code: 'payment_expired' } }]);
    expect(journal.of(PAYER.userId)).toEqual([]);
  });
});

const unsupported = (feature: string) => new UnsupportedFeatureError(feature);

test('a wallet that only sends pays in one step, and records the digest [R17 S8.4]', async () => {
  wallet.signTransaction.mockRejectedValue(unsupported('signTransaction'));
  expect(await pay()).toEqual({ state: 'done', project: PROJECT });
  expect(calls[1]?.body).toEqual({ transactionHash: DIGEST });
});

test('a wallet that only sends is in the journal before it is asked, and stays there without an answer [R17 S8.4]', async () => {
  wallet.signTransaction.mockRejectedValue(unsupported('signTransaction'));
  wallet.signAndExecute.mockImplementation(async (_transaction, onAsking) => {
    onAsking?.();
    expect(journal.of(PAYER.userId)).toMatchObject([{ phase: 'unknown', proof: null }]);
    throw new UnknownOutcomeError('Popup closed');
  });
  expect(await pay()).toEqual({ state: 'open', phase: 'unknown', paymentId: 'p1' });
  expect(words()).toEqual(['payments']);
  expect(await recordTransaction('p1', DIGEST)).toBe('received');
  expect(journal.of(PAYER.userId)).toMatchObject([{ phase: 'received' }]);
});

test('a sending wallet that rejects has sent nothing [R17 S8.4]', async () => {
  wallet.signTransaction.mockRejectedValue(unsupported('signTransaction'));
  wallet.signAndExecute.mockImplementation(async (_transaction, onAsking) => {
    onAsking?.();
    throw new Error('You declined the request in your wallet.');
  });
  expect(await pay()).toBe('pay');
  expect(journal.of(PAYER.userId)).toEqual([]);
});

test('a wallet that can neither sign nor send is reported with the feature it lacks [R17 S8.4]', async () => {
  wallet.signTransaction.mockRejectedValue(unsupported('signTransaction'));
  wallet.signAndExecute.mockRejectedValue(unsupported('signAndExecuteTransaction'));
  await expect(payForOrder(ORDER, PAYER, deps)).rejects.toMatchObject({
    stage: 'pay',
    cause: unsupported('signTransaction'),
  });
});

test("the admin's orders are placed without a payment [R18]", async () => {
  expect(await placeForFree(ORDER, PAYER, deps)).toEqual({ state: 'done', project: PROJECT });
  expect(words()).toEqual(['renew']);
  expect(calls[0]?.body).toEqual({ walletAddress: PAYER.walletAddress });
});
