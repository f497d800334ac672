import { beforeEach, expect, test, vi } from 'vitest';
import { Transaction } from '@mysten/sui/transactions';
import {
  WALLET_STANDARD_ERROR__FEATURES__WALLET_ACCOUNT_FEATURE_UNIMPLEMENTED,
  WALLET_STANDARD_ERROR__FEATURES__WALLET_FEATURE_UNIMPLEMENTED,
  WalletStandardError,
} from '@mysten/wallet-standard';
import { UnknownOutcomeError, UnsupportedFeatureError } from './errors.ts';
import type { Kit } from './kit.ts';
import { createSigning } from './signing.ts';

const ADDRESS = `0x${'1'.repeat(64)}`;
const account = { address: ADDRESS };
const features = ['sui:signTransaction', 'sui:signAndExecuteTransaction', 'sui:signPersonalMessage'];
const WALLET = { name: 'Slush', features, accounts: [account] };
interface Connected {
  wallet: typeof WALLET | null;
  account: typeof account | null;
  isReconnecting: boolean;
}
let connection: Connected;
const listeners = new Set<(connection: Connected) => void>();
const connect = vi.fn<() => Promise<void>>();
const sign = vi.fn<() => Promise<unknown>>();
const signAndExecute = vi.fn<() => Promise<unknown>>();
const signMessage = vi.fn<() => Promise<{ signature: string }>>();
const lookUp = vi.fn<() => Promise<unknown>>();
const kit = {
  stores: {
    $connection: {
      get: () => connection,
      listen: (listener: (connection: Connected) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  },
  switchAccount: vi.fn<() => void>(),
  getClient: () => ({
    core: {
      getTransaction: lookUp,
      resolveTransactionPlugin: () => (_data: unknown, _options: unknown, next: () => Promise<void>) => next(),
    },
  }),
  signTransaction: sign,
  signAndExecuteTransaction: signAndExecute,
  signPersonalMessage: signMessage,
} as unknown as Kit;
const signing = createSigning(kit, connect);

/** A transaction that is built as it is, or that the node rejects. */
function transactionOf(rejection?: Error): Transaction {
  const transaction = new Transaction();
  transaction.setSender(ADDRESS);
  transaction.setGasPrice(1);
  transaction.setGasBudget(1);
  transaction.setGasPayment([]);
  if (rejection) transaction.build = () => Promise.reject(rejection);
  return transaction;
}

beforeEach(() => {
  connection = { wallet: WALLET, account, isReconnecting: false };
  listeners.clear();
  for (const mock of [connect, sign, signAndExecute, signMessage, lookUp]) mock.mockReset();
  signMessage.mockResolvedValue({ signature: 'AA==' });
});

test('too little SUI has its own message, and other failures keep theirs [S8.4]', async () => {
  const poor = transactionOf(new Error('InsufficientCoinBalance in command 0'));
  await expect(signing.signTransaction(poor)).rejects.toThrow(/^There is not enough SUI in this wallet/);
  const broken = transactionOf(new Error('The node is away'));
  await expect(signing.signTransaction(broken)).rejects.toThrow('The node is away');
});

test.each([{ signature: '' }, {}, undefined])(
  'a wallet that resolves with %j returned no signature [S8.4]',
  async (signed) => {
    signMessage.mockResolvedValue(signed as { signature: string });
    sign.mockResolvedValue(signed);
    for (const work of [signing.signPersonalMessage('Sign in'), signing.signTransaction(transactionOf())])
      await expect(work).rejects.toThrow('The wallet returned no signature. Try again, or use another wallet.');
  },
);

const done = { Transaction: { digest: 'D1' } };

test('a sending wallet returns the digest after it notified the page that it is asked [R17]', async () => {
  const asking = vi.fn<() => void>(() => expect(signAndExecute).not.toHaveBeenCalled());
  signAndExecute.mockResolvedValue(done);
  await expect(signing.signAndExecute(transactionOf(), asking)).resolves.toEqual({ digest: 'D1', address: ADDRESS });
  expect(asking).toHaveBeenCalledTimes(1);
});

test('a transaction that failed on chain reports its error [R17]', async () => {
  signAndExecute.mockResolvedValue({ FailedTransaction: { status: { error: { message: 'Out of gas' } } } });
  await expect(signing.signAndExecute(transactionOf())).rejects.toThrow('Out of gas');
});

test('a rejection by a sending wallet is not looked for on chain [R17]', async () => {
  signAndExecute.mockRejectedValue(Object.assign(new Error('no'), { code: 4001 }));
  await expect(signing.signAndExecute(transactionOf())).rejects.toThrow('You declined the request in your wallet.');
  expect(lookUp).not.toHaveBeenCalled();
});

test('a wallet without its announced feature has sent nothing [R17 S8.4]', async () => {
  const unimplemented = new WalletStandardError(WALLET_STANDARD_ERROR__FEATURES__WALLET_FEATURE_UNIMPLEMENTED, {
    featureName: 'sui:signTransaction',
    supportedChains: [],
    supportedFeatures: [],
    walletName: 'Slush',
  });
  sign.mockRejectedValue(unimplemented);
  signAndExecute.mockRejectedValue(
    new WalletStandardError(WALLET_STANDARD_ERROR__FEATURES__WALLET_ACCOUNT_FEATURE_UNIMPLEMENTED, {
      address: ADDRESS,
      featureName: 'sui:signAndExecuteTransaction',
      supportedChains: [],
      supportedFeatures: [],
    }),
  );
  await expect(signing.signTransaction(transactionOf())).rejects.toEqual(
    new UnsupportedFeatureError('signTransaction', { cause: unimplemented }),
  );
  await expect(signing.signAndExecute(transactionOf())).rejects.toMatchObject({
    feature: 'signAndExecuteTransaction',
  });
  expect(lookUp).not.toHaveBeenCalled();
});

test('without a response of the wallet the chain is asked three times [R17]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  signAndExecute.mockRejectedValue(new Error('The window was closed by user'));
  lookUp.mockRejectedValue(new Error('not found'));
  const outcome = signing.signAndExecute(transactionOf()).catch((error: unknown) => error);
  while (lookUp.mock.calls.length === 0) await vi.advanceTimersByTimeAsync(0);
  await vi.advanceTimersByTimeAsync(999);
  expect(lookUp).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(lookUp).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(lookUp).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(lookUp).toHaveBeenCalledTimes(3);
  const error = await outcome;
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error).toMatchObject({ cause: { message: 'The window was closed by user' } });
  lookUp.mockResolvedValue({ Transaction: {} });
  const found = signing.signAndExecute(transactionOf());
  await vi.advanceTimersByTimeAsync(0);
  await expect(found).resolves.toMatchObject({ address: ADDRESS, digest: expect.stringMatching(/^\w{32,}$/) });
  lookUp.mockResolvedValue({ FailedTransaction: { status: { error: { message: 'Out of gas' } } } });
  const failed = signing.signAndExecute(transactionOf()).catch((reason: unknown) => reason);
  while (lookUp.mock.calls.length < 5) await vi.advanceTimersByTimeAsync(0);
  expect(await failed).toMatchObject({ message: 'Out of gas' });
  vi.useRealTimers();
});
