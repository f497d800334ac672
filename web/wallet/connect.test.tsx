// @vitest-environment happy-dom
/** From 'Connect Wallet' to a session with the real kit, and wallets that a test has registered. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { getWallets, type Wallet, type WalletAccount } from '@mysten/wallet-standard';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signIn, signOut } from '#shared/contract/auth.ts';
import { session } from '../lib/session.ts';
import { connectDialogOpen, connectedWallet } from '../lib/wallet-state.ts';
import { guestVotes, readWaiting } from '../offline/waiting-votes.ts';
import { STATS, USER } from '../testing/made-up.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';
import { ConnectDialogHost, loadWallet, openConnectDialog } from '../wallet-gate.ts';

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
});
