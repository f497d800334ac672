import {
  isValidStructTag,
  isValidSuiAddress,
  normalizeStructTag,
  normalizeSuiAddress,
  parseStructTag,
} from '@mysten/sui/utils';

/** Coin types and packages that a listing names (R71), in the one spelling in which they are stored and compared. */

export const COIN_TYPE_MAX_CHARS = 400;

/** Move's own names of types have addresses without 0x, and some tools leave out the zeros, too. */
const BARE_ADDRESS = /(?<![0-9a-z_:])(?=[0-9a-f]{1,64}(?:::\w+::|$))/gi;
/** Objects of a coin, as clients and explorers list them, name the coin in brackets. */
const OF_COIN = /^0x0*2::(?:coin::(?:Coin|TreasuryCap|CoinMetadata)|balance::Balance)<(.*)>$/i;

const prefixed = (text: string): string =>
  text.replaceAll(/\s+/g, '').replaceAll(/\b0X/g, '0x').replaceAll(BARE_ADDRESS, '0x');

/**
 * '0x2::sui::SUI' with a full address, from any spelling that tools of the chain write: a short address, one without 0x,
 * or the type of an object of the coin. Null for anything else, a name of the package registry included.
 */
export function coinType(text: string): string | null {
  if (text.length > COIN_TYPE_MAX_CHARS) return null;
  const named = prefixed(text);
  const type = OF_COIN.exec(named)?.[1] ?? named;
  if (!/^0x[^@]*$/i.test(type) || !isValidStructTag(type)) return null;
  const full = normalizeStructTag(type);
  return full.length > COIN_TYPE_MAX_CHARS ? null : full;
}

/** '0x2' as '0x' and 64 lowercase hex digits, which a full address may lack; null for anything else. */
export function packageId(sent: string): string | null {
  if (sent.length > COIN_TYPE_MAX_CHARS) return null;
  const text = prefixed(sent);
  if (!/^0x[0-9a-f]{1,64}$/i.test(text)) return null;
  const address = normalizeSuiAddress(text);
  return isValidSuiAddress(address) ? address : null;
}

/** The package that defines a coin type. */
export const packageOf = (coin: string): string => parseStructTag(coin).address;

/** A coin type or package with the id of the first version of its package, by which all versions are compared. */
export function withOriginal(name: string, originalOf: (packageId: string) => string | undefined): string {
  const at = name.indexOf('::');
  const [id, rest] = at === -1 ? [name, ''] : [name.slice(0, at), name.slice(at)];
  return `${originalOf(id) ?? id}${rest}`;
}
