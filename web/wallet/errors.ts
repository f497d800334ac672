import { isWalletStandardError, WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED } from '@mysten/wallet-standard';

/** What can go wrong between the page and a wallet, in the words of S8.4. */
export class WalletError extends Error {
  override name = 'WalletError';
}

/** A wallet that signs and sends in one did not say what it did: the payment may be on its way (R17). */
export class UnknownOutcomeError extends WalletError {
  readonly mayHaveSent = true;
}

export const noWallet = () => new WalletError('No wallet is connected.');
export const noAccount = () => new WalletError('No wallet account is selected to sign the transaction with.');
export const unsupported = (feature: string) => new WalletError(`This wallet doesn't support the ${feature} feature.`);
export const declined = (cause: unknown) => new WalletError('You declined the request in your wallet.', { cause });
export const accountNotFound = (address: string, walletName: string) =>
  new WalletError(`No account with address ${address} is connected to ${walletName}.`);

/** EIP-1193's, used by many wallets. */
const REJECTED_CODE = 4001;

/** True when the wallet says that the person said no: it has then sent nothing. */
export function isClearRefusal(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (isWalletStandardError(error, WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED)) return true;
  if ('code' in error && Number(error.code) === REJECTED_CODE) return true;
  return error instanceof Error && /reject|denied|declin/i.test(error.message);
}

/**
 * True when the person said no; wallets do not agree on how to say so. A window that was closed counts: for a signature it is a
 * no. Where the wallet also sends, it may have been closed after the yes; see `isClearRefusal`.
 */
export function isRefusal(error: unknown): boolean {
  if (isClearRefusal(error)) return true;
  return error instanceof Error && /cancell?ed|closed by user|user closed/i.test(error.message);
}

/** A sentence for the dialog; a wallet's own words only where they say more than 'something failed'. */
export function walletErrorText(error: unknown, fallback: string): string {
  if (isRefusal(error)) return declined(error).message;
  const message = error instanceof Error ? error.message.trim() : '';
  return message !== '' && message.length <= 200 ? message : fallback;
}
