import {
  isValidStructTag,
  isValidSuiAddress,
  normalizeStructTag,
  normalizeSuiAddress,
  parseStructTag,
} from '@mysten/sui/utils';

/** Coin types and packages that a listing names (R71), in the one spelling in which they are stored and compared. */

export const COIN_TYPE_MAX_CHARS = 400;

/** '0x2::sui::SUI' with a full address; null for anything else, a name of the package registry included. */
export function coinType(text: string): string | null {
  if (text.length > COIN_TYPE_MAX_CHARS || !/^0x[^@]*$/i.test(text) || !isValidStructTag(text)) return null;
  const full = normalizeStructTag(text);
  return full.length > COIN_TYPE_MAX_CHARS ? null : full;
}

/** '0x2' as '0x' and 64 lowercase hex digits; null for anything else. */
export function packageId(text: string): string | null {
  if (!/^0x[0-9a-f]{1,64}$/i.test(text)) return null;
  const address = normalizeSuiAddress(text);
  return isValidSuiAddress(address) ? address : null;
}

/** The package that defines a coin type. */
export const packageOf = (coin: string): string => parseStructTag(coin).address;
