import { expect, vi, test } from 'vitest';
import type { Session } from '#shared/contract/auth.ts';
import { apiErrorOf } from '../testing/made-up.ts';
import { type ConnectDeps, createConnectFlow } from './connect-flow.ts';
import type { SignInStart } from './sign-in.ts';

const ADDRESS = `0x${'a'.repeat(64)}`;
const OTHER = `0x${'b'.repeat(64)}`;
const NOW = Date.parse('2026-05-04T10:00:00Z');
const SESSION = { user: { walletAddress: ADDRESS } } as Session;
const wallet = { name: 'Slush' };

const challenge = (nonce = 'n1', expiresAtMs = NOW + 300_000) => ({
  challenge: { nonce, message: `sign ${nonce}`, expiresAt: new Date(expiresAtMs).toISOString() },
});
const rejected = () => Object.assign(new Error('User rejected the request'), { code: 4001 });

type Deps = ConnectDeps<typeof wallet>;

function setUp() {
  const deps = {
    connect: vi.fn<Deps['connect']>().mockResolvedValue(ADDRESS),
    connected: vi.fn<Deps['connected']>().mockReturnValue(null),
    selectAccount: vi.fn<Deps['selectAccount']>(),
    disconnect: vi.fn<() => Promise<void>>().mockResolvedValue(),
    signMessage: vi.fn<Deps['signMessage']>().mockResolvedValue('signature'),
    startSignIn: vi.fn<(address: string) => Promise<SignInStart>>().mockResolvedValue(challenge()),
    finishSignIn: vi.fn<Deps['finishSignIn']>().mockResolvedValue(SESSION),
    onSession: vi.fn<Deps['onSession']>(),
    serverNow: vi.fn<Deps['serverNow']>(() => NOW),
    logError: vi.fn<Deps['logError']>(),
  };
  return { ...deps, flow: createConnectFlow<typeof wallet>(deps) };
}

test('the connect flow leads from the list to the wallet, the message and the session [S2.10 R1]', async () => {
  const { flow, finishSignIn, onSession, signMessage } = setUp();
  await flow.start();
  expect(flow.get()).toEqual({ step: 'choose', help: null });
  const picked = flow.pick(wallet);
  expect(flow.get()).toEqual({ step: 'connecting', wallet });
  await picked;
  expect(flow.get()).toMatchObject({ step: 'signIn', phase: 'ready', challenge: { message: 'sign n1' } });
  await flow.sign();
  expect(signMessage).toHaveBeenCalledExactlyOnceWith('sign n1', ADDRESS);
  expect(finishSignIn).toHaveBeenCalledExactlyOnceWith(ADDRESS, 'n1', 'signature');
  expect(onSession).toHaveBeenCalledExactlyOnceWith(SESSION, false);
  expect(flow.get()).toEqual({ step: 'done', address: ADDRESS });
});

test('the connect flow asks a connected wallet at once when a signature was requested [R1]', async () => {
  const { flow, connected, onSession, signMessage } = setUp();
  connected.mockReturnValue({ wallet, address: ADDRESS });
  await flow.start({ signNow: true });
  expect(signMessage).toHaveBeenCalledExactlyOnceWith('sign n1', ADDRESS);
  expect(onSession).toHaveBeenCalledExactlyOnceWith(SESSION, false);
  expect(flow.get()).toEqual({ step: 'done', address: ADDRESS });
});

test('the connect flow asks for no signature when the wallet already has a session [R1]', async () => {
  const { flow, startSignIn, signMessage, onSession } = setUp();
  startSignIn.mockResolvedValue({ session: SESSION });
  await flow.pick(wallet);
  expect(flow.get().step).toBe('done');
  expect(onSession).toHaveBeenCalledExactlyOnceWith(SESSION, false);
  expect(signMessage).not.toHaveBeenCalled();
});

test('the connect flow reports a session that was found before a press in the dialog [R76]', async () => {
  const { flow, connected, startSignIn, onSession } = setUp();
  connected.mockReturnValue({ wallet, address: ADDRESS });
  startSignIn.mockResolvedValue({ session: SESSION });
  await flow.start();
  await flow.pick(wallet, true);
  expect(onSession.mock.calls).toEqual([
    [SESSION, true],
    [SESSION, true],
  ]);
});

test('a failed connection can be retried, and is logged only [S4.1 S8.22]', async () => {
  const { flow, connect, logError } = setUp();
  connect.mockRejectedValueOnce(rejected());
  await flow.pick(wallet);
  const reason = 'You declined the request in your wallet.';
  expect(flow.get()).toEqual({ step: 'connectFailed', wallet, reason });
  expect(logError).toHaveBeenCalledExactlyOnceWith('Failed to connect wallet', expect.any(Error));
  await flow.retry();
  expect(connect).toHaveBeenCalledTimes(2);
  expect(flow.get()).toMatchObject({ step: 'signIn', phase: 'ready' });
});

test('the same message is offered again after a rejected signature [R1]', async () => {
  const { flow, signMessage, startSignIn } = setUp();
  signMessage.mockRejectedValueOnce(rejected());
  await flow.pick(wallet);
  await flow.sign();
  expect(flow.get()).toMatchObject({ phase: 'failed', reason: 'You declined the request in your wallet.' });
  await flow.sign();
  expect(flow.get().step).toBe('done');
  expect(startSignIn).toHaveBeenCalledOnce();
});

test('a used or expiring message is replaced [R1]', async () => {
  const { flow, finishSignIn, startSignIn, signMessage, serverNow } = setUp();
  finishSignIn.mockRejectedValueOnce(apiErrorOf(401, 'x', 'The signature does not match this wallet.'));
  await flow.pick(wallet);
  await flow.sign();
  expect(flow.get()).toMatchObject({
    phase: 'failed',
    challenge: null,
    reason: 'The signature does not match this wallet.',
  });
  startSignIn.mockResolvedValueOnce(challenge('n2'));
  signMessage.mockRejectedValueOnce(rejected());
  await flow.sign();
  expect(flow.get()).toMatchObject({ phase: 'failed', challenge: { nonce: 'n2' } });
  serverNow.mockReturnValue(NOW + 290_000);
  startSignIn.mockResolvedValueOnce(challenge('n3', NOW + 600_000));
  await flow.sign();
  expect(finishSignIn).toHaveBeenLastCalledWith(ADDRESS, 'n3', 'signature');
  expect(flow.get().step).toBe('done');
});

test('another account is selected before signing [S4.1]', async () => {
  const { flow, selectAccount, startSignIn } = setUp();
  await flow.pick(wallet);
  await flow.changeAccount(OTHER);
  expect(selectAccount).toHaveBeenCalledExactlyOnceWith(OTHER);
  expect(startSignIn).toHaveBeenLastCalledWith(OTHER);
  expect(flow.get()).toMatchObject({ step: 'signIn', address: OTHER });
});

test('late responses are dropped after going back or closing the dialog', async () => {
  const { flow, connect, startSignIn, onSession, signMessage } = setUp();
  const slow = Promise.withResolvers<string>();
  connect.mockReturnValueOnce(slow.promise);
  const picked = flow.pick(wallet);
  flow.toChoice();
  slow.resolve(ADDRESS);
  await picked;
  expect(flow.get().step).toBe('choose');
  expect(startSignIn).not.toHaveBeenCalled();

  await flow.pick(wallet);
  const signature = Promise.withResolvers<string>();
  signMessage.mockReturnValueOnce(signature.promise);
  const signing = flow.sign();
  flow.cancel();
  signature.resolve('late');
  await signing;
  expect(onSession).not.toHaveBeenCalled();
});

test('the wallet opens once for one request', async () => {
  const { flow, signMessage } = setUp();
  await flow.pick(wallet);
  await Promise.all([flow.sign(), flow.sign()]);
  expect(signMessage).toHaveBeenCalledOnce();
});

test('the connect flow returns to the list when the wallet unregisters or another one is wanted [S4.1]', async () => {
  const { flow, disconnect } = setUp();
  await flow.pick(wallet);
  flow.walletGone();
  expect(flow.get()).toEqual({ step: 'choose', help: null });
  await flow.pick(wallet);
  await flow.changeWallet();
  expect(flow.get()).toEqual({ step: 'choose', help: null });
  expect(disconnect).toHaveBeenCalledOnce();
});
