import type { SuiNetwork } from '#shared/constants.ts';

/** First in the list (S9.13, R22), under the names that they register: 'Slush' on the web, 'Slush — A Sui wallet' installed. */
const PREFERRED = [/^Sui Wallet\b/, /^Slush\b/];

interface ListedWallet {
  name: string;
  features: readonly string[];
}

/** Signing in takes one signed message (R1); a wallet that signs none is of no use here. */
export const canSignIn = ({ features }: Pick<ListedWallet, 'features'>): boolean =>
  features.includes('sui:signPersonalMessage');

function rank(wallet: ListedWallet): number {
  if (!canSignIn(wallet)) return PREFERRED.length + 1;
  const at = PREFERRED.findIndex((name) => name.test(wallet.name));
  return at === -1 ? PREFERRED.length : at;
}

export function orderWallets<W extends ListedWallet>(wallets: readonly W[]): W[] {
  return wallets.toSorted((one, other) => rank(one) - rank(other));
}

export function suiAccounts<A extends { chains: readonly string[] }>(accounts: readonly A[], network: SuiNetwork): A[] {
  return accounts.filter((account) => account.chains.includes(`sui:${network}`));
}
