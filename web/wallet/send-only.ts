import {
  getWallets,
  StandardConnect,
  type StandardConnectOutput,
  StandardEvents,
  type StandardEventsListeners,
  SuiSignTransaction,
  SuiSignTransactionBlock,
  type Wallet,
  type WalletAccount,
} from '@mysten/wallet-standard';
import { UnsupportedFeatureError } from './errors.ts';

export const SENDS_ONLY = 'snapswipe:sendsOnly';

type Method = (...inputs: unknown[]) => unknown;

const standsIn = (wallet: Wallet): boolean => SENDS_ONLY in wallet.features;

/** True for a wallet that the kit leaves out of its list only because it does not sign transactions. */
export function needsStandIn({ features }: Pick<Wallet, 'features'>): boolean {
  const has = (name: string) => name in features;
  if (has(SENDS_ONLY) || has(SuiSignTransaction) || has(SuiSignTransactionBlock)) return false;
  return has(StandardConnect) && has(StandardEvents);
}

/** Makes the kit list a wallet without signTransaction (R17), with copied accounts: the kit finds a wallet by its account object. */
export function standInFor(wallet: Wallet): Wallet {
  const copies = new WeakMap<WalletAccount, WalletAccount>();
  const originals = new WeakMap<object, WalletAccount>();

  function copyOf(account: WalletAccount): WalletAccount {
    const known = copies.get(account);
    if (known) return known;
    const { address, publicKey, chains, features, label, icon } = account;
    const copy = { address, publicKey, chains, features, ...(label ? { label } : {}), ...(icon ? { icon } : {}) };
    copies.set(account, copy);
    originals.set(copy, account);
    return copy;
  }

  function toWallet(input: unknown): unknown {
    if (typeof input !== 'object' || input === null || !('account' in input)) return input;
    const { account } = input;
    const original = typeof account === 'object' && account !== null ? originals.get(account) : undefined;
    return original ? { ...input, account: original } : input;
  }

  const forward = (feature: object): object =>
    Object.fromEntries(
      Object.entries(feature).map(([name, value]: [string, unknown]) => [
        name,
        typeof value === 'function'
          ? (...inputs: unknown[]) => (value as Method).apply(feature, inputs.map(toWallet))
          : value,
      ]),
    );

  const features: Record<`${string}:${string}`, unknown> = {};
  for (const [name, feature] of Object.entries(wallet.features))
    features[name as `${string}:${string}`] =
      typeof feature === 'object' && feature !== null ? forward(feature) : feature;

  const connect = features[StandardConnect] as { connect: (...inputs: unknown[]) => Promise<StandardConnectOutput> };
  const events = features[StandardEvents] as {
    on: (event: string, listener: StandardEventsListeners['change']) => () => void;
  };
  features[StandardConnect] = {
    ...connect,
    connect: async (...inputs: unknown[]) => {
      const output = await connect.connect(...inputs);
      return { ...output, accounts: output.accounts.map(copyOf) };
    },
  };
  features[StandardEvents] = {
    ...events,
    on: (event: string, listener: StandardEventsListeners['change']) =>
      events.on(event, (change) =>
        listener(change.accounts ? { ...change, accounts: change.accounts.map(copyOf) } : change),
      ),
  };
  features[SuiSignTransaction] = {
    version: '2.0.0',
    signTransaction: () => Promise.reject(new UnsupportedFeatureError('signTransaction')),
  };
  features[SENDS_ONLY] = {};

  return {
    version: wallet.version,
    name: wallet.name,
    icon: wallet.icon,
    features,
    get chains() {
      return wallet.chains;
    },
    get accounts() {
      return wallet.accounts.map(copyOf);
    },
    ...('id' in wallet ? { id: wallet.id } : {}),
  };
}

export function listSendOnlyWallets(): void {
  const wallets = getWallets();
  const taken = new Map<Wallet, () => void>();
  const add = (...added: readonly Wallet[]) => {
    for (const wallet of added) {
      if (standsIn(wallet) || taken.has(wallet) || !needsStandIn(wallet)) continue;
      taken.set(wallet, wallets.register(standInFor(wallet)));
    }
  };
  wallets.on('register', add);
  wallets.on('unregister', (...removed) => {
    for (const wallet of removed) {
      taken.get(wallet)?.();
      taken.delete(wallet);
    }
  });
  add(...wallets.get());
}
