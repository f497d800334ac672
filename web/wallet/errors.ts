import {
  isWalletStandardError,
  WALLET_STANDARD_ERROR__FEATURES__WALLET_ACCOUNT_FEATURE_UNIMPLEMENTED,
  WALLET_STANDARD_ERROR__FEATURES__WALLET_FEATURE_UNIMPLEMENTED,
  WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED,
} from '@mysten/wallet-standard';

export class WalletError extends Error {
  override name = 'WalletError';
}

/** A wallet that signs and sends in one step did not report the result: the payment may be pending (R17). */
export class UnknownOutcomeError extends WalletError {}

export class UnsupportedFeatureError extends WalletError {
  readonly feature: string;

  constructor(feature: string, options?: ErrorOptions) {
    super(`This wallet doesn't support the ${feature} feature.`, options);
    this.feature = feature;
  }
}

export const isUnknownOutcome = (error: unknown): boolean => error instanceof UnknownOutcomeError;
export const isUnsupported = (error: unknown, feature?: string): boolean =>
  error instanceof UnsupportedFeatureError && (feature === undefined || error.feature === feature);

export const noWallet = () => new WalletError('No wallet is connected.');
export const noAccount = () => new WalletError('No wallet account is selected to sign the transaction with.');
export const declined = (cause: unknown) => new WalletError('You declined the request in your wallet.', { cause });
export const accountNotFound = (address: string, walletName: string) =>
  new WalletError(`No account with address ${address} is connected to ${walletName}.`);

/** True when the wallet announces a feature and says, by the code of the standard, that it does not have it. */
export const isUnimplemented = (error: unknown): boolean =>
  isWalletStandardError(error, WALLET_STANDARD_ERROR__FEATURES__WALLET_FEATURE_UNIMPLEMENTED) ||
  isWalletStandardError(error, WALLET_STANDARD_ERROR__FEATURES__WALLET_ACCOUNT_FEATURE_UNIMPLEMENTED);

const REJECTED_CODE = 4001;

const REJECTION = /reject|denied|declin/i;

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return error instanceof Error ? error.message : '';
}

/** True when the wallet says that the user rejected the request: it has then sent nothing. */
export function isExplicitRejection(error: unknown): boolean {
  if (typeof error === 'string') return REJECTION.test(error);
  if (typeof error !== 'object' || error === null) return false;
  if (isWalletStandardError(error, WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED)) return true;
  if ('code' in error && Number(error.code) === REJECTED_CODE) return true;
  return REJECTION.test(messageOf(error));
}

/** Wallets report a rejection in different ways. One that also sends may close after approval: see `isExplicitRejection`. */
export function isUserRejection(error: unknown): boolean {
  if (isExplicitRejection(error)) return true;
  return /cancell?ed|closed by user|user closed/i.test(messageOf(error));
}

/** A sentence for the dialog: the wallet's own message if it has one of a readable length. */
export function walletErrorText(error: unknown, fallback: string): string {
  if (isUserRejection(error)) return declined(error).message;
  const message = messageOf(error).trim();
  return message !== '' && message.length <= 200 ? message : fallback;
}
