import { sha256 } from '@noble/hashes/sha2.js';

export type Hash = Uint8Array;

export const HASH_BYTES = 32;
const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);

export const emptyRoot = (): Hash => sha256(new Uint8Array());

/** The leaf of an entry (RFC 6962, section 2.1). */
export const hashLeaf = (entry: Uint8Array): Hash => sha256.create().update(LEAF_PREFIX).update(entry).digest();

/** The parent of two nodes (RFC 6962, section 2.1). */
export const hashNode = (left: Hash, right: Hash): Hash =>
  sha256.create().update(NODE_PREFIX).update(left).update(right).digest();

/** The hash above adjacent perfect subtrees, the largest on the left; null without any. */
export function hashAbove(subtrees: readonly Hash[]): Hash | null {
  return subtrees.reduceRight<Hash | null>((right, left) => (right ? hashNode(left, right) : left), null);
}

export const isSameHash = (one: Hash, other: Hash): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);
