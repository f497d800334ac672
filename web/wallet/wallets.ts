import type { SuiNetwork } from '#shared/constants.ts';

/** First in the list (S9.13, R22); the sandbox's own wallet leads where it exists at all. */
const PREFERRED = ['Sandbox Wallet', 'Sui Wallet', 'Slush'];

const rank = (name: string) => {
  const at = PREFERRED.indexOf(name);
  return at === -1 ? PREFERRED.length : at;
};

/** Preferred wallets first, the others in the order in which they were registered. */
export function orderWallets<W extends { name: string }>(wallets: readonly W[]): W[] {
  return wallets.toSorted((one, other) => rank(one.name) - rank(other.name));
}

/** The accounts that can be used here: those that support the network's sui chain (S5.1). */
export function suiAccounts<A extends { chains: readonly string[] }>(accounts: readonly A[], network: SuiNetwork): A[] {
  return accounts.filter((account) => account.chains.includes(`sui:${network}`));
}
