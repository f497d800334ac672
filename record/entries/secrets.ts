import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bytesOf, type SumNode, sumLeaf } from '../log/sum-tree.ts';
import { fromBase64Url, toBase64Url } from './base64url.ts';

/** Values derived from a voter's secret, which the server shows to that voter alone (docs/use/record.md). */

export const SECRET_BYTES = 32;
export const PSEUDONYM_BYTES = 16;
const SALT_BYTES = 16;
const OWED_CONTEXT = 'snapswipe owed v1\n';

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

/** Amount owed to a user: whole Snaps of the balance, and those held by open withdrawals. */
export interface Owed {
  balance: bigint;
  held: bigint;
}

/**
 * The two leaves of an amount. Who follows a path sees the leaf beside it: a random part of what another user is owed,
 * with a new cut each day.
 */
export function owedLeaves(secret: Uint8Array, day: string, { balance, held }: Owed): [SumNode, SumNode] {
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const amounts = concatBytes(bytesOf(balance), bytesOf(held));
  const seed = sha256(concatBytes(text(OWED_CONTEXT), secret, text(day)));
  const owed = balance + held;
  const cut = BigInt.asUintN(63, new DataView(seed.buffer, seed.byteOffset).getBigUint64(SALT_BYTES)) % (owed + 1n);
  const leaf = (number: number, sum: bigint): SumNode =>
    sumLeaf(concatBytes(seed.subarray(0, SALT_BYTES), Uint8Array.of(number), amounts), sum);
  return [leaf(1, cut), leaf(2, owed - cut)];
}
