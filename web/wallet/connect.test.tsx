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
import { deleteAccount } from '../pages/profile/delete-account.ts';
import { keepGuestVote } from '../offline/guest-votes.ts';
import { GUEST_ID, guestVotes, readWaiting, VOTE_KEY_PREFIX } from '../offline/waiting-votes.ts';
import { projectOf, STATS, USER } from '../testing/made-up.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';
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

/** The wallet's response to a request. */
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

  /** Accounts that the page may use from now on. */
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
  guestVotes.set([]);
  readWaiting(USER.id);
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
});

describe('votes that wait in this browser [R76]', () => {
  const kept = () => Object.keys(localStorage).filter((key) => key.startsWith(VOTE_KEY_PREFIX));
  const words = 'Count my 1 vote';

  /** Opens the dialog as every button does that begins a sign-in. */
  async function openWithVote() {
    keepGuestVote(projectOf(5), 'bearish');
    return open();
  }

  test('are listed in both steps with a switch that is on, and belong to the user who signs in', async () => {
    const user = await openWithVote();
    expect((await dialog()).getByRole('switch', { name: words })).toBeChecked();
    expect((await dialog()).getByRole('list', { name: 'Your votes' })).toHaveTextContent('Project 5Bearish');
    await pick(user);
    const step = await ready();
    expect(step.getByRole('list', { name: 'Your votes' })).toHaveTextContent('Project 5Bearish');
    server().respond(signIn, signedIn(MAIN));
    await user.click(step.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session.get().status).toBe('signedIn'));
    expect(kept()).toEqual([`${VOTE_KEY_PREFIX}${USER.id}:5`]);
  });

  test('keep waiting when the switch is off', async () => {
    const user = await openWithVote();
    await user.click((await dialog()).getByRole('switch', { name: words }));
    await pick(user);
    const step = await ready();
    expect(step.getByRole('switch', { name: words })).not.toBeChecked();
    server().respond(signIn, signedIn(MAIN));
    await user.click(step.getByRole('button', { name: 'Sign in' }));
    await waitFor(() => expect(session.get().status).toBe('signedIn'));
    expect(kept()).toEqual([`${VOTE_KEY_PREFIX}${GUEST_ID}:5`]);
  });

  test('are listed before a wallet that is connected already may sign the user in again', async () => {
    const user = await connect();
    keepGuestVote(projectOf(5), 'bearish');
    act(() => session.lost(session.era()));
    askForSignature();
    const { signInAgain } = await loadWallet();
    act(() => {
      connectDialogOpen.set(true);
      signInAgain();
    });
    const step = await ready();
    expect(sign).not.toHaveBeenCalled();
    await user.click(step.getByRole('switch', { name: words }));
    expect(kept()).toEqual([`${VOTE_KEY_PREFIX}${GUEST_ID}:5`]);
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

describe('changes that the wallet makes on its own [S4.1 S4.2]', () => {
  test('another account selected in the page ends the session of the first, and asks to sign in', async () => {
    await connect();
    askForSignature();
    await act(async () => wallet.show([ACCOUNTS[1]]));
    await waitFor(() => expect(session.get().status).toBe('none'));
    expect(server().calls(signOut)).toHaveLength(2);
    await ready();
    expect(connectedWallet.get()?.address).toBe(SPARE);
  });

  test('disconnecting clears the wallet and ends the session [S4.1]', async () => {
    await connect();
    expect(stored()).not.toBeNull();
    await act(async () => disconnectWallet());
    expect([session.get().status, connectedWallet.get(), stored()]).toEqual(['none', null, null]);
    expect(server().calls(signOut)).toHaveLength(2);
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
});
