import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64Url } from './base64url.ts';
import { DAY_MS, dayStartMs } from './days.ts';
import type { OpinionEntry } from './entries.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

const NO_PSEUDONYM = new Uint8Array(PSEUDONYM_BYTES);
const DAY_AT = PSEUDONYM_BYTES;
const DIRECTION_AT = DAY_AT + 4;
const IDENTITY_AT = DIRECTION_AT + 1;
const UINT32 = 2 ** 32;

/** Millions of opinions are hashed, most of them on the day of the opinion before: reuse buffer and day. */
const bytes = new Uint8Array(IDENTITY_AT + 8);
const view = new DataView(bytes.buffer);
let lastDay = '';

/** What an opinion adds to the digest of its project and period. Sums are modulo 2^64. */
export function opinionDigest({
  pseudonym,
  day,
  bullish,
  identity,
}: Pick<OpinionEntry, 'pseudonym' | 'day' | 'bullish' | 'identity'>): bigint {
  bytes.set(fromBase64Url(pseudonym, PSEUDONYM_BYTES) ?? NO_PSEUDONYM);
  if (day !== lastDay) view.setInt32(DAY_AT, dayStartMs(day) / DAY_MS);
  lastDay = day;
  bytes[DIRECTION_AT] = Number(bullish);
  view.setUint32(IDENTITY_AT, identity / UINT32);
  view.setUint32(IDENTITY_AT + 4, identity % UINT32);
  const hash = sha256(bytes);
  return new DataView(hash.buffer, hash.byteOffset).getBigUint64(0);
}

export const digestText = (sum: bigint): string => BigInt.asUintN(64, sum).toString(16).padStart(16, '0');
