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
/** The network rejects transactions, too. */
const NOT_THE_USER = /validator|quorum|stake|full ?node|\brpc\b|server/i;
const CANCELLATION = /\bcancell?ed|closed by user|user closed|dismissed|^(?:AbortError|NotAllowedError)$/i;
const PARTS = ['message', 'error', 'reason', 'name', 'code', 'data', 'cause'] as const;
const DEEPEST = 3;

/** Texts of a wallet's error, its message first. Errors that crossed a window are plain objects, and some wrap the first one. */
function textsOf(error: unknown, depth = 0): string[] {
  if (typeof error === 'string' || typeof error === 'number') return [String(error)];
  if (typeof error !== 'object' || error === null || depth === DEEPEST) return [];
  const parts = error as Partial<Record<(typeof PARTS)[number], unknown>>;
  return PARTS.flatMap((part) => textsOf(parts[part], depth + 1));
}

/** True when the wallet says that the user rejected the request: it has then sent nothing. */
export function isExplicitRejection(error: unknown): boolean {
  if (isWalletStandardError(error, WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED)) return true;
  const texts = textsOf(error);
  if (texts.some((text) => Number(text) === REJECTED_CODE)) return true;
  return texts.some((text) => REJECTION.test(text)) && !texts.some((text) => NOT_THE_USER.test(text));
}

/**
 * Wallets report a rejection in different ways; some throw nothing at all when their window is closed. One that also
 * sends may close after approval: see `isExplicitRejection`.
 */
export function isUserRejection(error: unknown): boolean {
  if (error === undefined || error === null || error === false || error === '') return true;
  return isExplicitRejection(error) || textsOf(error).some((text) => CANCELLATION.test(text));
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return '';
  const { message, error: inner } = error as { message?: unknown; error?: unknown };
  return [message, inner].find((text) => typeof text === 'string') ?? '';
}

/** A sentence for the dialog: the wallet's own message if it has one of a readable length. */
export function walletErrorText(error: unknown, fallback: string): string {
  if (isUserRejection(error)) return declined(error).message;
  const message = messageOf(error).trim();
  return message !== '' && message.length <= 200 ? message : fallback;
}
