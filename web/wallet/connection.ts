import { getWalletUniqueIdentifier, type UiWallet } from '@mysten/dapp-kit-react';
import { isSameAddress, normalizeAddress } from '#chain/address.ts';
import { type SuiNetwork, WALLET_CONNECTION_KEY } from '#shared/constants.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { readStored } from '../lib/storage.ts';
import { claimListedVotes } from '../offline/guest-votes.ts';
import { GUEST_ID, readWaiting } from '../offline/waiting-votes.ts';
import { connectDialogOpen, connectedWallet } from '../lib/wallet-state.ts';
import { type ConnectFlow, createConnectFlow } from './connect-flow.ts';
import { noAccount, WalletError } from './errors.ts';
import type { Kit } from './kit.ts';
import { finishSignIn, startSignIn } from './sign-in.ts';
import { signerFor } from './signing.ts';
import { suiAccounts } from './wallets.ts';

/** The kit's message when no account is left after those of other chains were dropped (S5.1). */
const NO_ACCOUNTS = 'No accounts were authorized.';

export interface Connection {
  flow: ConnectFlow<UiWallet>;
  begin: () => void;
  signInAgain: () => void;
  disconnect: () => Promise<void>;
}

/** Ties the kit, the session and the connect flow together: account switch, disconnect, a wallet that goes away (S4.1, S4.2). */
export function createConnection(kit: Kit, network: SuiNetwork): Connection {
  const { $connection, $wallets } = kit.stores;
  let lastAddress: string | null = null;

  const addressNow = () => normalizeAddress($connection.get().account?.address ?? '');

  function selectAccount(address: string): void {
    const { wallet } = $connection.get();
    const account = suiAccounts(wallet?.accounts ?? [], network).find((one) => isSameAddress(one.address, address));
    if (account) kit.switchAccount({ account });
  }

  async function connect(wallet: UiWallet): Promise<string> {
    await kit.connectWallet({ wallet }).catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== NO_ACCOUNTS) throw error;
      throw new WalletError(`${wallet.name} shared no account on Sui ${network}.`, { cause: error });
    });
    // The account of the session, when the wallet has it, rather than the wallet's first one.
    const wanted = session.get().user?.walletAddress;
    if (wanted !== undefined) selectAccount(wanted);
    const address = addressNow();
    if (address === null) throw noAccount();
    session.walletChanged(address);
    return address;
  }

  async function disconnect(): Promise<void> {
    if ($connection.get().wallet) await kit.disconnectWallet();
  }

  const flow = createConnectFlow<UiWallet>({
    connect,
    connected: () => {
      const { wallet } = $connection.get();
      const address = addressNow();
      return wallet && address !== null ? { wallet, address } : null;
    },
    selectAccount: (address) => {
      selectAccount(address);
      session.walletChanged(address);
    },
    disconnect,
    signMessage: async (text, address) => {
      const account = signerFor($connection.get(), 'signPersonalMessage', address);
      const { signature } = await kit.signPersonalMessage({ message: new TextEncoder().encode(text), account });
      if (!signature) throw new WalletError('The wallet returned no signature.');
      return signature;
    },
    startSignIn,
    finishSignIn,
    onSession: (next, isUnasked) => {
      // Before the page knows of the session, so that the deck deals none of their cards.
      if (!isUnasked) claimListedVotes(next.user.id);
      session.signedIn(next);
    },
    serverNow,
    logError: (message, error) => console.error(message, error),
  });

  /** A cookie may still be this wallet's session although the page has lost it; no signature is needed then (S7.2). */
  async function adoptSession(address: string): Promise<void> {
    try {
      const start = await startSignIn(address);
      if ('session' in start && addressNow() === address && session.get().status === 'none') {
        session.signedIn(start.session);
      }
    } catch (error) {
      console.warn('The session could not be checked', error);
    }
  }

  function storeSelection(): void {
    const { account } = $connection.get();
    if (account && !readStored(WALLET_CONNECTION_KEY)?.includes(account.address)) kit.switchAccount({ account });
  }

  /** Compares session and wallet after a change; a change that the flow waits for is the flow's own business. */
  function syncSession(): void {
    const address = addressNow();
    if (address === null) return flow.walletGone();
    if (flow.get().step === 'connecting') return;
    storeSelection();
    if (session.walletChanged(address)) {
      connectDialogOpen.set(true);
      void flow.start();
    } else if (session.get().status === 'none' && !connectDialogOpen.get()) {
      void adoptSession(address);
    }
  }

  $connection.subscribe(({ wallet }) => {
    const address = wallet ? addressNow() : null;
    if (address === lastAddress) return;
    lastAddress = address;
    connectedWallet.set(wallet && address !== null ? { address, walletName: wallet.name } : null);
    // Later, as the kit selects the wallet's first account before ours is chosen.
    setTimeout(syncSession);
  });

  function lastWallet(): UiWallet | undefined {
    const id = readStored(WALLET_CONNECTION_KEY)?.split(':')[0];
    return $wallets.get().find((wallet) => getWalletUniqueIdentifier(wallet).replace(':', '_') === id);
  }

  function begin(): void {
    const wallet = session.get().user && !$connection.get().wallet ? lastWallet() : undefined;
    void (wallet ? flow.pick(wallet, true) : flow.start());
  }

  function signInAgain(): void {
    const wanted = session.get().user?.walletAddress;
    if (wanted !== undefined) selectAccount(wanted);
    // A visitor's votes are listed before the wallet asks (R76).
    const signNow = readWaiting(GUEST_ID).length === 0;
    if (wanted !== undefined && addressNow() === wanted) void flow.start({ signNow });
    else begin();
  }

  return {
    flow,
    begin,
    signInAgain,
    disconnect,
  };
}
