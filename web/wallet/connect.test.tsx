// @vitest-environment happy-dom
/** The wallet's own changes of account, with the real kit and a wallet that the test registers. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { getWallets, type Wallet, type WalletAccount } from '@mysten/wallet-standard';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { signIn, signOut } from '#shared/contract/auth.ts';
import { getSiteConfig } from '#shared/contract/site.ts';
import { setSite } from '../lib/site.ts';
import { toasts } from '../lib/toast.ts';
import { session } from '../lib/session.ts';
import { connectDialogOpen, connectedWallet } from '../lib/wallet-state.ts';
import { SITE, STATS, USER } from '../testing/made-up.ts';
import { act, allowInConsole, draw, useTestPage } from '../testing/screen.tsx';
import { ConnectDialogHost, loadWallet, openConnectDialog } from '../wallet-gate.ts';

const server = useTestPage();

const newAccount = (): WalletAccount => {
  const keypair = new Ed25519Keypair();
  return {
    address: keypair.toSuiAddress(),
    publicKey: keypair.getPublicKey().toRawBytes(),
    chains: ['sui:localnet'],
    features: ['sui:signPersonalMessage', 'sui:signTransaction'],
  };
};
const FIRST = newAccount();
const SECOND = newAccount();
const unused = () => Promise.reject(new Error('unused'));

class TestWallet implements Wallet {
  readonly version = '1.0.0';
  readonly name = 'Test Wallet';
  readonly icon = 'data:image/png;base64,';
  readonly chains = ['sui:localnet'] as const;
  accounts: readonly WalletAccount[] = [];
  readonly #listeners = new Set<(change: { accounts: readonly WalletAccount[] }) => void>();
  readonly features = {
    'standard:connect': { version: '1.0.0', connect: async () => this.show([FIRST, SECOND]) },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => this.show([]) },
    'standard:events': {
      version: '1.0.0',
      on: (_: string, listener: (change: { accounts: readonly WalletAccount[] }) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    },
    'sui:signTransaction': { version: '2.0.0', signTransaction: unused },
    'sui:signPersonalMessage': { version: '1.1.0', signPersonalMessage: unused },
  } as Wallet['features'];

  /** Accounts that the page may use from now on. */
  show(accounts: readonly WalletAccount[]): { accounts: readonly WalletAccount[] } {
    this.accounts = accounts;
    for (const listener of this.#listeners) listener({ accounts });
    return { accounts };
  }
}
const wallet = new TestWallet();
getWallets().register(wallet);

afterEach(async () => {
  const { disconnect } = await loadWallet();
  await act(async () => disconnect());
  act(() => connectDialogOpen.set(false));
});

test('a wallet whose code does not come says that the server is away, and that votes wait [R76 R99]', async () => {
  setSite(null);
  server().lose(getSiteConfig);
  allowInConsole(/^The wallet code could not be loaded/);
  openConnectDialog();
  await waitFor(() => expect(toasts.get()[0]).toMatchObject({ title: 'The server is away' }));
  expect([toasts.get()[0]?.description, connectDialogOpen.get()]).toEqual(['Votes wait here. Try again.', false]);
  setSite(SITE);
});

test('another account selected in the wallet ends the session, and asks to sign in [S4.1 S4.2]', async () => {
  server().respond(signOut, { success: true });
  await act(async () => session.signOut());
  draw(<ConnectDialogHost />);
  await act(async () => {
    openConnectDialog();
    await loadWallet();
  });
  server().respond(signIn, { user: { ...USER, walletAddress: FIRST.address }, stats: STATS });
  const dialog = within(await screen.findByRole('dialog', { name: 'Connect Wallet' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Test Wallet' }));
  await waitFor(() => expect(session.get().status).toBe('signedIn'));
  await waitFor(() => expect(connectDialogOpen.get()).toBe(false));
  const challenge = { nonce: 'n1', message: 'Sign in to Snapswipe', expiresAt: new Date().toISOString() };
  server().reject(signIn, 401, { error: 'signature_required', message: 'Sign', challenge });
  await act(async () => wallet.show([SECOND]));
  await waitFor(() => expect(session.get().status).toBe('none'));
  expect(server().calls(signOut)).toHaveLength(2);
  const step = within(await screen.findByRole('dialog', { name: 'Sign in' }));
  await waitFor(() => expect(step.getByLabelText('Message to sign')).toHaveTextContent(challenge.message));
  expect(connectedWallet.get()?.address).toBe(SECOND.address);
});
