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

const REJECTED_CODES = new Set<unknown>([4001, WALLET_STANDARD_ERROR__USER__REQUEST_REJECTED]);
/** Where errors and events keep what is not enumerable. */
const HIDDEN = ['message', 'name', 'code', 'type', 'reason', 'error', 'detail', 'cause'];
/** Errors hold requests and responses, which can be large. */
const MOST_PARTS = 1_000;

interface Part {
  key: string;
  value: string | number;
}

function entriesOf(value: object): Array<[string, unknown]> {
  try {
    const keys = new Set([...HIDDEN.filter((key) => key in value), ...Object.keys(value)]);
    // The close of a connection has a code, too, and is not a decision.
    if ('code' in value) keys.delete('type');
    return Array.from(keys, (key) => [key, Reflect.get(value, key)]);
  } catch {
    // Another origin's window, for one.
    return [];
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(/\[\s*\{.*\}\s*\]|\{.*\}/s.exec(text)?.[0] ?? '');
  } catch {
    return null;
  }
}

/** Texts and numbers of a wallet's error, outer ones first: errors cross windows as plain objects, events or JSON, and wrap each other. */
function partsOf(error: unknown): Part[] {
  const parts: Part[] = [];
  const queue: Array<[string, unknown]> = [['message', error]];
  const seen = new Set<unknown>();
  for (const [key, value] of queue) {
    if (typeof value === 'string' || typeof value === 'number') parts.push({ key, value });
    const inner = typeof value === 'string' ? fromJson(value) : value;
    if (typeof inner !== 'object' || inner === null || seen.has(inner) || queue.length > MOST_PARTS) continue;
    seen.add(inner);
    queue.push(...entriesOf(inner));
  }
  return parts;
}

const REFUSED = 'reject|denied|den(?:y|ies)\\b|declin|refus|cancel|abort|disapprov';
const REFUSED_ELSEWHERE =
  '拒[绝絕否]|取消|キャンセル|却下|거부|거절|취소|отклон|отмен|отказ|rechaz|cancel|deneg|refus|rejet|annul|rejeit|recus|abgelehnt|abgebrochen|redde|iptal|từ chối|hủy';
const USER_ELSEWHERE =
  '用[户戶]|使用者|ユーザー|사용자|пользовател|usuario|usuário|utilizador|utilisateur|benutzer|nutzer|kullanıcı|người dùng';
/** Not 'the user was denied', 'a user operation rejected by a bundler', or 'rejected by the user’s policy'. */
const BY_OTHERS = '(?!\\w*\\s+by\\s+(?!mistake|accident|click|clos|press))';
const REJECTION = new RegExp(
  [
    `(?<![a-z])(?:user|you)[\\s_-]*(?:['’]?ve\\s+|ha(?:s|ve)\\s+|_+request_+)?(?:${REFUSED})${BY_OTHERS}`,
    `(?<![a-z])user\\s+(?:did\\s?n[o’']t|ha(?:s|d)\\s?n[o’']t|did not|has not)\\s+(?:approve|accept|confirm|sign|authori)`,
    `(?:${REFUSED})\\w*\\s+(?:by|from)\\s+(?:the\\s+|an?\\s+)?user(?![\\w'’-])(?!\\s+(?:agent|op|polic|rule|setting|quota|limit|account))`,
    `(?:${USER_ELSEWHERE})[^.。被]{0,24}(?:${REFUSED_ELSEWHERE})`,
    `(?:${REFUSED_ELSEWHERE})[^.。被]{0,12}(?:${USER_ELSEWHERE})`,
    '^approval denied$|^action_rejected$',
  ].join('|'),
  'i',
);
const CANCELLATION = new RegExp(
  [
    '^(?:(?:the|your)\\s+)?(?:request|transaction|operation|action|sign[ -]?in|signing|connection)?\\s*(?:was\\s+|has been\\s+)?cancel(?:l?ed)?[.!]?$',
    '\\b(?:pop-?up|window|dialog|modal|prompt)\\b(?:\\s+(?:was|has been|is|got|window))*\\s+(?:closed|dismissed)(?!\\s+(?:due|because))',
    '(?<![a-z])user[\\s_-]*(?:has\\s+)?(?:closed|dismissed|exited)|(?:closed|dismissed)\\s+by\\s+(?:the\\s+)?user',
    '^NotAllowedError$',
  ].join('|'),
  'i',
);
const CLOSING = /^(?:close|closed|cancel|dismiss)$/;

/** True when the wallet says that the user rejected the request: it has then sent nothing. */
export const isExplicitRejection = (error: unknown): boolean =>
  partsOf(error).some(
    ({ key, value }) =>
      REJECTION.test(String(value)) ||
      (/code$|^(?:message|error|reason|cause)$/i.test(key) && REJECTED_CODES.has(Number(value))),
  );

/**
 * Wallets report a rejection in different ways; some throw nothing at all when their window is closed. One that also
 * sends may close after approval: see `isExplicitRejection`.
 */
export function isUserRejection(error: unknown): boolean {
  if (error === undefined || error === null || error === false || error === '') return true;
  const isClosing = ({ key, value }: Part) =>
    CANCELLATION.test(String(value)) || (key === 'type' && CLOSING.test(String(value)));
  return isExplicitRejection(error) || partsOf(error).some(isClosing);
}

/** A sentence for the dialog: the wallet's own message if it has one of a readable length. */
export function walletErrorText(error: unknown, fallback: string): string {
  if (isUserRejection(error)) return declined(error).message;
  const isSaid = ({ key, value }: Part) =>
    /^(?:message|error|reason)$/.test(key) && typeof value === 'string' && value.trim() !== '' && !fromJson(value);
  const message = String(partsOf(error).find(isSaid)?.value ?? '').trim();
  return message !== '' && message.length <= 200 ? message : fallback;
}
