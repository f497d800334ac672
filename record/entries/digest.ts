import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url } from './base64url.ts';
import { DAY_MS, dayStartMs } from './days.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

const BYTES = PSEUDONYM_BYTES + 5;

/** Part of an opinion in the digest of its project and period. Sums are modulo 2^64. */
export function opinionDigest({
  pseudonym,
  day,
  bullish,
}: {
  pseudonym: string;
  day: string;
  bullish: boolean;
}): bigint {
  const bytes = new Uint8Array(BYTES);
  bytes.set(fromBase64Url(pseudonym, PSEUDONYM_BYTES) ?? new Uint8Array());
  const view = new DataView(bytes.buffer);
  view.setInt32(PSEUDONYM_BYTES, dayStartMs(day) / DAY_MS);
  bytes[BYTES - 1] = Number(bullish);
  const hash = sha256(bytes);
  return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0);
}

export const digestText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
