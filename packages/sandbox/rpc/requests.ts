import { fromBase58, isValidSuiAddress, normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils';
import { invalidArgument, messageOf } from '../ledger/errors.ts';
import { baseType, type ChainObject, typeOf } from '../ledger/objects.ts';

/** Readers of request fields. Each throws INVALID_ARGUMENT with the field's name when it is missing or malformed. */

export function requireAddress(value: string | undefined, field: string): string {
  if (!value) throw invalidArgument(`missing ${field}`);
  const address = normalizeSuiAddress(value);
  if (!isValidSuiAddress(address)) throw invalidArgument(`invalid ${field}: ${value} is not an address`);
  return address;
}

export function requireDigest(value: string | undefined): string {
  if (!value) throw invalidArgument('missing digest');
  let bytes: Uint8Array;
  try {
    bytes = fromBase58(value);
  } catch (error) {
    throw invalidArgument(`invalid digest: ${messageOf(error)}`);
  }
  if (bytes.length !== 32) throw invalidArgument(`invalid digest: expected 32 bytes, got ${bytes.length}`);
  return value;
}

export function requireCoinType(value: string | undefined, field = 'coin_type'): string {
  if (!value) throw invalidArgument(`missing ${field}`);
  try {
    return normalizeStructTag(value);
  } catch (error) {
    throw invalidArgument(`invalid ${field}: ${messageOf(error)}`);
  }
}

/** A type without parameters, such as `0x2::coin::Coin`, selects objects with any parameters. */
export function typeFilter(objectType: string | undefined): (object: ChainObject) => boolean {
  if (!objectType) return () => true;
  const wanted = requireCoinType(objectType, 'object_type');
  if (wanted.includes('<')) return (object) => typeOf(object) === wanted;
  return (object) => baseType(typeOf(object)) === wanted;
}

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

export function pageOf<T>(items: readonly T[], pageSize: number | undefined, pageToken: Uint8Array | undefined) {
  const start = pageToken?.length ? Number(new TextDecoder().decode(pageToken)) : 0;
  if (!Number.isSafeInteger(start) || start < 0) throw invalidArgument('invalid page_token');
  const end = start + Math.min(pageSize || DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  return {
    items: items.slice(start, end),
    nextPageToken: end < items.length ? new TextEncoder().encode(String(end)) : undefined,
  };
}

/** Milliseconds since 1970 as a protobuf Timestamp. */
export function timestampOf(ms: number): { seconds: bigint; nanos: number } {
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: (ms % 1000) * 1_000_000 };
}
