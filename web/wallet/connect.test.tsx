// @vitest-environment happy-dom
/** From 'Connect Wallet' to a session with the real kit, and wallets that a test has registered. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { getWallets, type Wallet, type WalletAccount } from '@mysten/wallet-standard';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleteAccount as deletion } from '#shared/contract/accounts.ts';
import { signIn, signOut } from '#shared/contract/auth.ts';
import { WALLET_CONNECTION_KEY } from '#shared/constants.ts';
import { session } from '../lib/session.ts';
import { connectDialogOpen, connectedWallet } from '../lib/wallet-state.ts';
import { SessionEndedNotice } from '../components/session/session-ended.tsx';
import { deleteAccount } from '../pages/profile/delete-account.ts';
import { DeleteAccountDialog } from '../pages/profile/delete-account-dialog.tsx';
import { STATS, USER } from '../testing/made-up.ts';
import { act, allowInConsole, draw, toastShown, useTestPage } from '../testing/screen.tsx';
import { ConnectDialogHost, disconnectWallet, loadWallet, openConnectDialog } from '../wallet-gate.ts';

const server = useTestPage();
const CHALLENGE = {
  nonce: 'n1',
  message: 'Sign in to Snapswipe',
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
};

const accountOf = (keypair: Ed25519Keypair, label: string): WalletAccount => ({
  address: keypair.toSuiAddress(),
  label,
  publicKey: keypair.getPublicKey().toRawBytes(),
  chains: ['sui:localnet'],
  features: ['sui:signPersonalMessage', 'sui:signTransaction'],
});
const main = new Ed25519Keypair();
const spare = new Ed25519Keypair();
const ACCOUNTS = [accountOf(main, 'Main'), accountOf(spare, 'Spare')] as const;
const [MAIN, SPARE] = ACCOUNTS.map(({ address }) => address) as [string, string];

/** What the wallet does when it is asked. */
let approve: () => Promise<void>;
const sign = vi.fn<(message: Uint8Array, account: WalletAccount) => Promise<string>>();
const changes = new Set<(change: { accounts: readonly WalletAccount[] }) => void>();

class TestWallet implements Wallet {
  readonly version = '1.0.0';
  readonly name = 'Test Wallet';
  readonly icon = 'data:image/png;base64,';
  readonly chains = ['sui:localnet'] as const;
  accounts: readonly WalletAccount[] = [];
  readonly features = {
    'standard:connect': {
      version: '1.0.0',
      connect: async (input?: { silent?: boolean }) => {
        if (input?.silent !== true) await approve();
        this.show(ACCOUNTS);
        return { accounts: ACCOUNTS };
      },
    },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => this.show([]) },
    'standard:events': {
      version: '1.0.0',
      on: (_: string, listener: (change: { accounts: readonly WalletAccount[] }) => void) => {
        changes.add(listener);
        return () => changes.delete(listener);
      },
    },
    'sui:signTransaction': { version: '2.0.0', signTransaction: () => Promise.reject(new Error('unused')) },
    'sui:signPersonalMessage': {
      version: '1.1.0',
      signPersonalMessage: async ({ message, account }: { message: Uint8Array; account: WalletAccount }) => ({
        bytes: '',
        signature: await sign(message, account),
      }),
    },
  } as Wallet['features'];

  /** What the page may use from now on. */
  show(accounts: readonly WalletAccount[]): void {
    this.accounts = accounts;
    for (const listener of changes) listener({ accounts });
  }
}
const wallet = new TestWallet();
getWallets().register(wallet);

const stored = () => localStorage.getItem(WALLET_CONNECTION_KEY);
const signedIn = (walletAddress: string) => ({ user: { ...USER, walletAddress }, stats: STATS });
const askForSignature = () =>
  server().reject(signIn, 401, { error: 'signature_required', message: 'Sign', challenge: CHALLENGE });

beforeEach(() => {
  server().respond(signOut, { success: true });
  approve = async () => undefined;
  sign.mockReset().mockResolvedValue('c2lnbmF0dXJl');
  askForSignature();
});
afterEach(async () => {
  const { disconnect } = await loadWallet();
  await act(async () => disconnect());
  act(() => connectDialogOpen.set(false));
});

async function open() {
  await act(async () => session.signOut());
  draw(<ConnectDialogHost />);
  const user = userEvent.setup();
  await act(async () => {
    openConnectDialog();
    await loadWallet();
  });
  return user;
}
const dialog = async (name = 'Connect Wallet') => within(await screen.findByRole('dialog', { name }));
const pick = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click((await dialog()).getByRole('button', { name: 'Test Wallet' }));
const ready = async () => {
  const step = await dialog('Sign in');
  await waitFor(() => expect(step.getByLabelText('Message to sign')).toHaveTextContent(CHALLENGE.message));
  return step;
};

describe('signing in [S4.1 S2.10 R1]', () => {
  test('asks the wallet, shows the message, has it signed, and starts the session', async () => {
    const user = await open();
    await pick(user);
    const step = await ready();
    expect(step.getByText('Test Wallet')).toBeVisible();
    expect(connectedWallet.get()).toEqual({ address: MAIN, walletName: 'Test Wallet' });
    server().respond(signIn, signedIn(MAIN));
    await user.click(step.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session.get()).toMatchObject({ status: 'signedIn', user: { walletAddress: MAIN } }));
    expect(new TextDecoder().decode(sign.mock.calls[0]?.[0])).toBe(CHALLENGE.message);
    expect(server().calls(signIn).at(-1)?.body).toEqual({
      walletAddress: MAIN,
      nonce: 'n1',
      signature: 'c2lnbmF0dXJl',
    });
    await waitFor(() => expect(connectDialogOpen.get()).toBe(false));
    expect(stored()).toContain(MAIN);
  });

  test('each wait says what for, and nothing can be pressed twice meanwhile', async () => {
    const user = await open();
    const challenge = Promise.withResolvers<never>();
    server().respond(signIn, () => challenge.promise);
    await pick(user);
    const step = await dialog('Sign in');
    expect(step.getByRole('status')).toHaveTextContent('Preparing...');
    expect(step.getByLabelText('Message to sign')).toHaveAttribute('aria-busy', 'true');
    expect(step.getByLabelText('Account')).toBeDisabled();
    askForSignature();
    await user.click(step.getByRole('button', { name: 'Use another wallet' }));
    await pick(user);
    const next = await ready();
    const signature = Promise.withResolvers<string>();
    sign.mockReturnValue(signature.promise);
    await user.click(next.getByRole('button', { name: 'Sign in' }));
    expect(next.getByRole('status')).toHaveTextContent('Confirm in the wallet... Test Wallet');
    const response = Promise.withResolvers<ReturnType<typeof signedIn>>();
    server().respond(signIn, () => response.promise);
    await act(async () => signature.resolve('c2ln'));
    expect(next.getByRole('status')).toHaveTextContent('Checking the signature...');
    await act(async () => response.resolve(signedIn(MAIN)));
    await waitFor(() => expect(session.get().status).toBe('signedIn'));
    expect(sign).toHaveBeenCalledTimes(1);
  });

  test('a session that the cookie still carries needs no signature', async () => {
    const user = await open();
    server().respond(signIn, signedIn(MAIN));
    await pick(user);
    await waitFor(() => expect(session.get().status).toBe('signedIn'));
    expect(sign).not.toHaveBeenCalled();
  });

  test('another account is chosen, and signs', async () => {
    const user = await open();
    await pick(user);
    const step = await ready();
    const accounts = step.getByLabelText('Account');
    expect(
      within(accounts)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Main', 'Spare']);
    await user.selectOptions(accounts, 'Spare');
    await waitFor(() => expect(server().calls(signIn).at(-1)?.body).toEqual({ walletAddress: SPARE }));
    await ready();
    server().respond(signIn, signedIn(SPARE));
    await user.click(step.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session.get().user?.walletAddress).toBe(SPARE));
    expect(sign.mock.calls[0]?.[1].address).toBe(SPARE);
    expect(connectedWallet.get()?.address).toBe(SPARE);
    expect(stored()).toContain(SPARE);
  });

  test('a rejected signature says so and can be retried; another wallet can be used instead', async () => {
    allowInConsole(/^The sign-in was rejected ApiError: 401/);
    const user = await open();
    await pick(user);
    const step = await ready();
    sign.mockRejectedValueOnce(Object.assign(new Error('no'), { code: 4001 }));
    await user.click(step.getByRole('button', { name: 'Sign in' }));
    expect(await step.findByRole('alert')).toHaveTextContent('You declined the request in your wallet.');
    const again = step.getByRole('button', { name: 'Try Again' });
    server().respond(signIn, signedIn(MAIN));
    askForSignature();
    await user.click(again);
    await waitFor(() => expect(sign).toHaveBeenCalledTimes(2));
    await step.findByRole('alert');
    await user.click(step.getByRole('button', { name: 'Use another wallet' }));
    expect((await dialog()).getByRole('list', { name: 'Wallets' })).toBeVisible();
    expect(connectedWallet.get()).toBeNull();
  });

  test('a rejected connection says so and is retried', async () => {
    allowInConsole(/^Failed to connect wallet Error: User rejected the request$/);
    approve = () => Promise.reject(new Error('User rejected the request'));
    const user = await open();
    await pick(user);
    const failed = await dialog();
    expect(await failed.findByText('Connection failed')).toBeVisible();
    expect(failed.getByRole('alert')).toHaveTextContent('You declined the request in your wallet.');
    approve = async () => undefined;
    await user.click(failed.getByRole('button', { name: 'Retry Connection' }));
    await ready();
  });

  test('a wallet that shares no account says so by its name', async () => {
    allowInConsole(/^Failed to connect wallet WalletError: Test Wallet shared no account/);
    const user = await open();
    const share = vi.spyOn(wallet.features['standard:connect'] as { connect: () => unknown }, 'connect');
    share.mockResolvedValueOnce({ accounts: [] });
    await pick(user);
    const failed = await dialog();
    expect(await failed.findByRole('alert')).toHaveTextContent('Test Wallet shared no account on Sui localnet.');
  });

  test('a user who is signed in goes on with the wallet of the last visit, without a choice', async () => {
    await open();
    act(() => connectDialogOpen.set(false));
    localStorage.setItem(WALLET_CONNECTION_KEY, `Test Wallet:${MAIN}`);
    act(() => session.signedIn(signedIn(MAIN)));
    await act(async () => openConnectDialog());
    await waitFor(() => expect(connectedWallet.get()).toEqual({ address: MAIN, walletName: 'Test Wallet' }));
  });

  test('while the wallet is asked, another one can be chosen', async () => {
    approve = () => new Promise(() => undefined);
    const user = await open();
    await pick(user);
    const waiting = await dialog();
    expect(await waiting.findByText('Confirm connection in the wallet...')).toBeVisible();
    expect(waiting.getByRole('status')).toHaveTextContent('Opening a wallet');
    expect(waiting.queryByRole('alert')).toBeNull();
    await user.click(waiting.getByRole('button', { name: 'Choose another wallet' }));
    expect((await dialog()).getByRole('list', { name: 'Wallets' })).toBeVisible();
  });
});

/** Signs in with the wallet's first account. */
async function connect() {
  const user = await open();
  server().respond(signIn, signedIn(MAIN));
  await pick(user);
  await waitFor(() => expect(session.get().status).toBe('signedIn'));
  await waitFor(() => expect(connectDialogOpen.get()).toBe(false));
  return user;
}

describe('what the wallet does by itself [S4.1 S4.2]', () => {
  test('another account selected in the page ends the session of the first, and asks to sign in', async () => {
    await connect();
    askForSignature();
    await act(async () => wallet.show([ACCOUNTS[1]]));
    await waitFor(() => expect(session.get().status).toBe('none'));
    expect(server().calls(signOut)).toHaveLength(2);
    await ready();
    expect(connectedWallet.get()?.address).toBe(SPARE);
  });

  test('a wallet that goes away leaves the session', async () => {
    await connect();
    const { disconnect } = await loadWallet();
    await act(async () => disconnect());
    await waitFor(() => expect(connectedWallet.get()).toBeNull());
    expect(session.get().status).toBe('signedIn');
  });

  test('disconnecting clears the wallet and ends the session [S4.1]', async () => {
    await connect();
    expect(stored()).not.toBeNull();
    await act(async () => disconnectWallet());
    expect([session.get().status, connectedWallet.get(), stored()]).toEqual(['none', null, null]);
    expect(server().calls(signOut)).toHaveLength(2);
  });

  test('a session that has ended is signed for again at once with the wallet that is connected', async () => {
    allowInConsole(/^The sign-in was rejected ApiError: 401/);
    await connect();
    askForSignature();
    act(() => session.lost(session.era()));
    draw(<SessionEndedNotice />);
    expect(connectDialogOpen.get()).toBe(false);
    await act(async () => screen.getByRole('button', { name: 'Sign in again' }).click());
    expect(connectDialogOpen.get()).toBe(true);
    await waitFor(() => expect(sign).toHaveBeenCalledTimes(1));
    expect(sign.mock.calls[0]?.[1].address).toBe(MAIN);
  });
});

describe('deleting the account [R55]', () => {
  const message = 'Delete my account';
  const askToDelete = () =>
    server().reject(deletion, 401, {
      error: 'signature_required',
      message: 'Sign',
      challenge: { ...CHALLENGE, nonce: 'n2', message },
    });

  test('is signed by the wallet, and has ended the session and cleared the wallet when it is done', async () => {
    await connect();
    askToDelete();
    sign.mockImplementation(async (bytes) => {
      server().respond(deletion, { success: true });
      return new TextDecoder().decode(bytes) === message ? 'c2lnbmVk' : '';
    });
    const phases: string[] = [];
    let atItsEnd: string | null = null;
    await act(async () => {
      await deleteAccount(USER.id, true, (phase) => phases.push(phase));
      atItsEnd = session.get().status;
    });
    expect(atItsEnd).toBe('none');
    expect([connectedWallet.get(), stored()]).toEqual([null, null]);
    expect(phases).toEqual(['preparing', 'signing', 'deleting']);
    expect(
      server()
        .calls(deletion)
        .map(({ params, body }) => ({ ...params, ...(body as object) })),
    ).toEqual([{ id: '7' }, { id: '7', removeReviews: true, nonce: 'n2', signature: 'c2lnbmVk' }]);
  });

  test.each([
    [
      'another rejection',
      () => server().reject(deletion, 409, { error: 'under_way', message: 'A payout is under way' }),
      /^409: A payout is under way$/,
    ],
    [
      'a 401 without a challenge',
      () => server().reject(deletion, 401, { error: 'signature_required', message: 'Sign' }),
      /^401: Sign$/,
    ],
    ['a deletion that nobody signed', () => server().respond(deletion, { success: true }), /asked for no signature$/],
  ])('%s is an error, and the wallet is not asked', async (_, respond, words) => {
    await connect();
    respond();
    await expect(deleteAccount(USER.id, false, () => undefined)).rejects.toThrow(words);
    expect(sign).not.toHaveBeenCalled();
    expect(session.get().status).toBe('signedIn');
  });

  test('each wait says what for; the dialog cannot be left meanwhile; a rejection stands in it, and can be tried again', async () => {
    const user = await connect();
    const onClose = vi.fn<() => void>();
    draw(<DeleteAccountDialog userId={USER.id} onClose={onClose} />);
    const shown = await dialog('Delete your account?');
    const waiting = (name: string) => shown.findByRole('button', { name });
    askToDelete();
    const signature = Promise.withResolvers<string>();
    sign.mockReturnValueOnce(signature.promise);
    await user.click(shown.getByRole('button', { name: 'Delete account' }));
    expect(await waiting('Confirm in the wallet…')).toBeDisabled();
    expect(shown.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    expect(shown.getByRole('checkbox')).toBeDisabled();
    await user.keyboard('{Escape}');
    expect(onClose).not.toHaveBeenCalled();
    signature.reject(Object.assign(new Error('no'), { code: 4001 }));
    expect(await shown.findByRole('alert')).toBeVisible();
    expect(server().calls(deletion)).toHaveLength(1);
    const deleted = Promise.withResolvers<{ success: true }>();
    sign.mockImplementation(async () => {
      server().respond(deletion, () => deleted.promise);
      return 'c2ln';
    });
    await user.click(shown.getByRole('button', { name: 'Delete account' }));
    expect(await waiting('Deleting…')).toBeDisabled();
    expect(shown.queryByRole('alert')).toBeNull();
    deleted.resolve({ success: true });
    expect(await toastShown('Account deleted')).toMatchObject({ variant: 'success' });
    expect(session.get().status).toBe('none');
    expect(server().calls(deletion).at(-1)?.body).toMatchObject({ removeReviews: false });
  });
});
