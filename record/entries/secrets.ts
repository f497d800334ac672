import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { fromBase64Url, toBase64Url } from './base64url.ts';

/** Values derived from a voter's secret, which the server shows to that voter alone (docs/use/record.md). */

export const SECRET_BYTES = 32;
export const PSEUDONYM_BYTES = 16;

function uint64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** Null for an invalid secret. */
export const parseSecret = (text: string): Uint8Array | null => fromBase64Url(text, SECRET_BYTES);

export function pseudonymOf(secret: Uint8Array, projectId: number): string {
  return toBase64Url(sha256(concatBytes(secret, uint64(projectId))).subarray(0, PSEUDONYM_BYTES));
}
