import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { orderWallets, suiAccounts } from './wallets.ts';
import { SENDS_ONLY, needsStandIn, standInFor } from './send-only.ts';
import { signerFor } from './signing.ts';
import {
  type Wallet,
  WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED,
  WalletStandardError,
} from '@mysten/wallet-standard';
import { isExplicitRejection, isUserRejection, walletErrorText } from './errors.ts';

const features = ['standard:connect', 'sui:signPersonalMessage'];
const named = (...names: string[]) => names.map((name) => ({ name, features }));

test("'Sui Wallet' and 'Slush' come first, and the others keep their order [S9.13 R22]", () => {
  const wallets = named('Sandbox Wallet', 'Nightly', 'Slush — A Sui wallet', 'Backpack', 'Sui Wallet', 'Slushy');
  expect(orderWallets(wallets).map(({ name }) => name)).toEqual([
    'Sui Wallet',
    'Slush — A Sui wallet',
    'Sandbox Wallet',
    'Nightly',
    'Backpack',
    'Slushy',
  ]);
});

test('wallets that sign no messages come last, preferred ones too [R1]', () => {
  const mute = { name: 'Slush', features: ['standard:connect', 'sui:signTransaction'] };
  expect(orderWallets([mute, ...named('Nightly')]).map(({ name }) => name)).toEqual(['Nightly', 'Slush']);
});

test('two wallets of one name are both listed', () => {
  const wallets = named('Slush', 'Slush').map((wallet, id) => ({ ...wallet, id }));
  expect(orderWallets(wallets)).toEqual(wallets);
});

test("only accounts on the site's Sui chain are offered [S5.1]", () => {
  const both = { chains: ['solana:mainnet', 'sui:devnet', 'sui:mainnet'] };
  const solana = { chains: ['solana:mainnet'] };
  const elsewhere = { chains: ['sui:mainnet'] };
  expect(suiAccounts([solana, both, elsewhere], 'devnet')).toEqual([both]);
});

const at = (digit: string) => `0x${digit.repeat(64)}`;
const one = { address: at('1') };
const two = { address: at('2') };
const SIGNING = ['standard:connect', 'sui:signTransaction', 'sui:signPersonalMessage'];
const wallet = { name: 'Slush', features: SIGNING, accounts: [one, two] };

test('signing needs a wallet [S8.4]', () => {
  expect(() => signerFor({ wallet: null, account: null }, 'signTransaction', null)).toThrow('No wallet is connected.');
});

test('signing needs an account [S8.4]', () => {
  const message = 'No wallet account is selected to sign the transaction with.';
  expect(() => signerFor({ wallet, account: null }, 'signTransaction', null)).toThrow(message);
});

test('signing a payment needs a wallet that can sign transactions [S8.4 S5.1]', () => {
  const watching = { ...wallet, features: ['standard:connect'] };
  const message = "This wallet doesn't support the signTransaction feature.";
  expect(() => signerFor({ wallet: watching, account: one }, 'signTransaction', null)).toThrow(message);
});

test('a wallet that signs only what it sends can sign messages [R17]', () => {
  const sender = { ...wallet, features: [...SIGNING, SENDS_ONLY] };
  expect(signerFor({ wallet: sender, account: one }, 'signPersonalMessage', null)).toBe(one);
  expect(() => signerFor({ wallet: sender, account: one }, 'signTransaction', null)).toThrow(/signTransaction/);
});

test('the older feature for transactions is accepted [S5.1]', () => {
  const older = { ...wallet, features: ['sui:signTransactionBlock'] };
  expect(signerFor({ wallet: older, account: one }, 'signTransaction', null)).toBe(one);
});

test("signing needs the session's account [S8.4]", () => {
  const message = `No account with address ${at('3')} is connected to Slush.`;
  expect(() => signerFor({ wallet, account: one }, 'signTransaction', at('3'))).toThrow(message);
});

test("the session's account signs when another one is selected [R2]", () => {
  expect(signerFor({ wallet, account: one }, 'signTransaction', at('2'))).toBe(two);
  expect(signerFor({ wallet, account: one }, 'signPersonalMessage', at('1').toUpperCase())).toBe(one);
  expect(signerFor({ wallet, account: one }, 'signTransaction', null)).toBe(one);
});

const ACCOUNT = { address: '0x1', publicKey: new Uint8Array(32), chains: ['sui:devnet'], features: ['sui:x'] } as const;

function walletWith(...names: `${string}:${string}`[]) {
  const listeners: ((change: { accounts: object[] }) => void)[] = [];
  const sign = vi.fn<(input: { account?: object }) => Promise<object>>((input) => Promise.resolve(input));
  const made: Wallet = {
    version: '1.0.0',
    name: 'Sender',
    icon: 'data:image/png;base64,',
    chains: ['sui:devnet'],
    accounts: [ACCOUNT],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [ACCOUNT] }) },
      'standard:events': {
        version: '1.0.0',
        on: (_event: string, listener: (change: object) => void) => listeners.push(listener),
      },
      ...Object.fromEntries(names.map((name) => [name, { version: '2.0.0', sign }])),
    },
  };
  return { made, listeners, sign };
}

test('only a wallet that the kit leaves out gets a stand-in [R17]', () => {
  expect(needsStandIn(walletWith('sui:signAndExecuteTransaction').made)).toBe(true);
  expect(needsStandIn(walletWith('sui:signPersonalMessage').made)).toBe(true);
  expect(needsStandIn(walletWith('sui:signTransaction').made)).toBe(false);
  expect(needsStandIn(walletWith('sui:signTransactionBlock').made)).toBe(false);
  expect(needsStandIn({ features: { 'sui:signAndExecuteTransaction': {} } })).toBe(false);
  expect(needsStandIn(standInFor(walletWith().made))).toBe(false);
});

test('a stand-in names the feature that its wallet lacks [S8.4]', async () => {
  const { features } = standInFor(walletWith('sui:signAndExecuteTransaction').made);
  expect(SENDS_ONLY in features).toBe(true);
  const { signTransaction } = features['sui:signTransaction'] as { signTransaction: () => Promise<never> };
  await expect(signTransaction()).rejects.toThrow("This wallet doesn't support the signTransaction feature.");
});

const plainly = (_key: string, value: unknown) =>
  value instanceof Error
    ? { name: value.name, message: value.message, cause: value.cause, detail: Object.entries(value) }
    : value;

/** Forms in which a word of a wallet arrives: as it is, as an error, or inside of what a window, a kit or JSON-RPC put around it. */
const wrappings = fc.array(
  fc.constantFrom<(inner: unknown) => unknown>(
    (inner) => ({ error: inner }),
    (inner) => ({ message: 'Request failed', data: inner }),
    (inner) => new Error('Signing failed', { cause: inner }),
    (inner) => ({ errors: [{ detail: inner }] }),
    (inner) => ({ message: `Internal error: ${JSON.stringify({ inner }, plainly)}` }),
  ),
  { maxLength: 5 },
);
const wrapped = (inner: unknown) => wrappings.map((forms) => forms.reduce((error, wrap) => wrap(error), inner));
const inAnyForm = (...words: string[]) =>
  fc
    .constantFrom(...words)
    .chain((word) => fc.constantFrom<unknown>(word, { message: word }, new Error(word), { reason: word }))
    .chain(wrapped);

test('recognizes a rejection by the user in each form in which wallets report it', () => {
  const words = inAnyForm(
    'Rejected from user',
    'User denied transaction signature',
    'User rejected the request',
    'User rejected by mistake',
    'User declined',
    'User decline',
    'The user has not approved the request',
    'You cancelled the request',
    '[WALLET.SIGN_TX_ERROR__USER_REJECTED] User rejection',
    'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)',
    'Approval Denied',
    '用户拒绝',
    '用户取消',
    'ユーザーがリクエストを拒否しました',
    'Отклонено пользователем',
    'ACTION_REJECTED',
  );
  const marks = fc
    .constantFrom<unknown>(
      { code: 4001 },
      { code: '4001' },
      { code: 'USER_REJECTED' },
      { name: 'UserRejection' },
      { message: 'User rejected', data: { cause: 'rpc-provider of wallet-server-3' } },
      Object.assign(new Error(''), { name: 'UserRejectedRequestError' }),
      new WalletStandardError(WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED),
    )
    .chain(wrapped);
  fc.assert(
    fc.property(fc.oneof(words, marks), (error) => {
      expect([isUserRejection(error), isExplicitRejection(error)]).toEqual([true, true]);
    }),
    runs(300),
  );
});

test('takes a closed window for a rejection, although a wallet that sends may have sent before', () => {
  const words = inAnyForm(
    'Popup closed by user',
    'User closed the wallet window',
    'Popup closed',
    'Window was closed',
    'cancel',
    'Cancelled',
    'Request was cancelled',
  );
  const marks = fc
    .constantFrom<unknown>({ type: 'close' }, { type: 'cancel' }, { name: 'NotAllowedError' })
    .chain(wrapped);
  fc.assert(
    fc.property(fc.oneof(words, marks), (error) => {
      expect([isUserRejection(error), isExplicitRejection(error)]).toEqual([true, false]);
    }),
    runs(300),
  );
  const inItself = [null, undefined, '', new Event('close'), new DOMException('Timed out', 'NotAllowedError')];
  for (const error of inItself) expect(isUserRejection(error)).toBe(true);
});

test('takes no failure for a rejection by the user, even where another party rejected the request, and shows its words', () => {
  const texts = [
    'Network unreachable',
    'Dry run failed: MoveAbort in command 0',
    'Transaction is rejected as invalid by more than 1/3 of validators by stake',
    'Transaction rejected with reason: Object (0x1) [1] is locked by another transaction',
    'Transaction was rejected at consensus',
    'Transaction rejected: gas budget too low',
    'Transaction cancelled due to congestion',
    'ExecutionCancelledDueToSharedObjectCongestion',
    'The RPC server rejected the request',
    'Permission denied: this site is on a blocklist',
    'Access denied',
    'HTTP 403: access to the node was denied',
    'AddressDeniedForCoin { address: 0x1, coin_type: "0x2::c::C" }',
    'Request denied by the sponsor',
    'The user was denied access by policy',
    'User operation rejected by the bundler',
    'User rejected by policy',
    'Rejected by the user’s spending policy',
    'Aborted by the user agent',
    '用户被拒绝',
    'Request timed out',
    'WebSocket connection closed',
    'Ledger device: Locked device (0x5515)',
    'Blind signing must be enabled in the settings of the Sui app (0x6a80)',
  ];
  const marks = fc
    .constantFrom<unknown>(
      {},
      { code: -32000 },
      { code: 40010 },
      { code: 403 },
      { nonce: 4001 },
      { type: 'close', code: 1006 },
    )
    .chain(wrapped);
  fc.assert(
    fc.property(fc.oneof(inAnyForm(...texts), marks), (error) => {
      expect(isUserRejection(error)).toBe(false);
    }),
    runs(300),
  );
  for (const text of texts) expect(walletErrorText({ error: { message: text } }, 'It did not work.')).toBe(text);
});

test('a wallet that says nothing may have sent the payment [R17]', () => {
  for (const nothing of [undefined, null, '', {}]) expect(isExplicitRejection(nothing)).toBe(false);
});

test('a wallet error names a rejection, repeats short messages, and falls back otherwise', () => {
  expect(walletErrorText(new Error('User rejected'), 'x')).toBe('You declined the request in your wallet.');
  expect(walletErrorText(new Error('The wallet is locked'), 'x')).toBe('The wallet is locked');
  expect(walletErrorText(new Error('y'.repeat(201)), 'It did not work.')).toBe('It did not work.');
  expect(walletErrorText({}, 'It did not work.')).toBe('It did not work.');
});
