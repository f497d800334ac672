import { createElement, useEffect, type ReactNode } from 'react';
import { WALLET_CONNECTION_KEY } from '#shared/constants.ts';
import { needed } from './lib/chunks.ts';
import { createStore, useStore } from './lib/external-store.ts';
import { session } from './lib/session.ts';
import { siteConfig } from './lib/site.ts';
import { readStored, writeStored } from './lib/storage.ts';
import { toast } from './lib/toast.ts';
import { connectDialogOpen, type WalletModule } from './lib/wallet-state.ts';

/** The only entry to code that imports @mysten/*: nothing behind it is loaded before a visitor reaches for a wallet. */
type Loading = 'idle' | 'loading' | WalletModule;

export const walletCode = createStore<Loading>('idle');
let pending: Promise<WalletModule> | null = null;

/** The wallet code, loaded at the first call; rejects when it cannot be fetched, and may then be called again. */
export const loadWallet = (): Promise<WalletModule> => needed(guessWallet());

function guessWallet(): Promise<WalletModule> {
  pending ??= startWallet();
  return pending;
}

async function startWallet(): Promise<WalletModule> {
  walletCode.set('loading');
  try {
    const [site, { createWalletModule }] = await Promise.all([
      siteConfig(),
      import('./wallet/later.ts').then(({ loadWalletModule }) => loadWalletModule()),
    ]);
    const module = await createWalletModule(site);
    walletCode.set(module);
    return module;
  } catch (error) {
    pending = null;
    walletCode.set('idle');
    throw error;
  }
}

export function openConnectDialog(): void {
  connectDialogOpen.set(true);
  loadWallet().then(
    (module) => module.beginConnect(),
    (error: unknown) => {
      console.error('The wallet code could not be loaded', error);
      connectDialogOpen.set(false);
      toast({ title: 'The server is away', description: 'Votes wait here. Try again.' });
    },
  );
}

/** Call when a visitor is about to reach for the wallet (pointer over the button): the dialog then opens at once. */
export function preloadWallet(): void {
  // A failure shows when the dialog is opened, which tries again.
  guessWallet().catch(() => undefined);
}

export async function disconnectWallet(): Promise<void> {
  const module = walletCode.get();
  if (typeof module === 'object') await module.disconnect();
  writeStored(WALLET_CONNECTION_KEY, null);
  await session.signOut();
}

export function useConnectDialog(): { open: boolean | string; loading: boolean } {
  const state = useStore(walletCode);
  const open = useStore(connectDialogOpen);
  return { open, loading: open && state === 'loading' };
}

function useAutoConnect(): void {
  useEffect(() => {
    if (readStored(WALLET_CONNECTION_KEY) === null) return;
    siteConfig()
      .then((site) => (site.autoConnect ? guessWallet() : undefined))
      .catch((error: unknown) => console.warn('The wallet could not be reconnected', error));
  }, []);
}

export function ConnectDialogHost(): ReactNode {
  useAutoConnect();
  const state = useStore(walletCode);
  return typeof state === 'object' ? createElement(state.ConnectDialog) : null;
}
