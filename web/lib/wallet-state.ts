import type { Transaction } from '@mysten/sui/transactions';
import type { ComponentType } from 'react';
import { createStore } from './external-store.ts';

/** A transaction that the session's wallet signed; `bytes` and `signature` are base64 (R16). */
export interface SignedTransaction {
  bytes: string;
  signature: string;
  address: string;
}

/** Functions of the wallet chunk once it is loaded. Each call rejects with the messages of S8.4 or with the wallet's own error. */
export interface WalletModule {
  signTransaction: (transaction: Transaction) => Promise<SignedTransaction>;
  /** For wallets that sign and send in one: the digest of a transaction that succeeded (R17). */
  signAndExecute: (transaction: Transaction, onAsking?: () => void) => Promise<{ digest: string; address: string }>;
  /** Whether a call was rejected because the wallet does not offer that feature (any, where none is named); it has then done nothing. */
  isUnsupported: (error: unknown, feature?: 'signTransaction') => boolean;
  isUnknownOutcome: (error: unknown) => boolean;
  signPersonalMessage: (text: string) => Promise<{ signature: string; address: string }>;
  /** The name that the name service has for an address, null without one or when it cannot be asked (S7.25). */
  addressName: (address: string) => Promise<string | null>;
  makeOwnCoin?: () => Promise<string>;
  disconnect: () => Promise<void>;
  beginConnect: () => void;
  signInAgain: () => void;
  ConnectDialog: ComponentType;
}

/** The wallet that is connected now, not the session: a session lives on without one. */
export interface ConnectedWallet {
  address: string;
  walletName: string;
}

export const connectedWallet = createStore<ConnectedWallet | null>(null);

/** A sentence says why it is open. */
export const connectDialogOpen = createStore<boolean | `Sign in ${string}`>(false);

export function connectDialogClosed(): Promise<void> {
  if (!connectDialogOpen.get()) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = connectDialogOpen.subscribe(() => {
      if (connectDialogOpen.get()) return;
      unsubscribe();
      resolve();
    });
  });
}
