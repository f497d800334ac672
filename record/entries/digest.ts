import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url } from './base64url.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

const DAY_MS = 86_400_000;
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
  view.setInt32(PSEUDONYM_BYTES, Date.parse(`${day}T00:00:00Z`) / DAY_MS);
  bytes[BYTES - 1] = Number(bullish);
  const hash = sha256(bytes);
  return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0);
}

export const digestText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
