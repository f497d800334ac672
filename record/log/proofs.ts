import { type Hash, hashNode, isSameHash } from './hashes.ts';

export type ProofResult = { holds: true } | { holds: false; reason: string };

const HOLDS: ProofResult = { holds: true };
const fails = (reason: string): ProofResult => ({ holds: false, reason });
const isEven = (n: number): boolean => n % 2 === 0;
const half = (n: number): number => Math.floor(n / 2);

/** Checks that a leaf is the index-th of the tree with this root (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  leaf: Hash,
  { index, size, root }: { index: number; size: number; root: Hash },
  proof: readonly Hash[],
): ProofResult {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size))
    return fails(`entry ${index} is outside of ${size}`);
  let [place, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return fails('the proof is too long');
    if (!isEven(place) || place === last) {
      hash = hashNode(sibling, hash);
      while (isEven(place) && place > 0) [place, last] = [half(place), half(last)];
    } else {
      hash = hashNode(hash, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  if (last !== 0) return fails('the proof is too short');
  return isSameHash(hash, root) ? HOLDS : fails('the proof leads to another root');
}

interface Head {
  size: number;
  root: Hash;
}

/** Checks that the newer tree begins with the older one (RFC 9162, section 2.1.4.2). */
export function verifyConsistency(older: Head, newer: Head, proof: readonly Hash[]): ProofResult {
  if (older.size > newer.size) return fails('the tree has become smaller');
  if (older.size === newer.size || older.size === 0) {
    if (proof.length > 0) return fails('the proof is too long');
    return older.size === 0 || isSameHash(older.root, newer.root) ? HOLDS : fails('two roots for one size');
  }
  let [place, last] = [older.size - 1, newer.size - 1];
  while (!isEven(place)) [place, last] = [half(place), half(last)];
  // If the older tree is perfect, its root is the first hash and not part of the proof.
  const [first, ...rest] = place === 0 ? [older.root, ...proof] : proof;
  if (!first) return fails('the proof is too short');
  let [olderHash, newerHash] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return fails('the proof is too long');
    if (!isEven(place) || place === last) {
      [olderHash, newerHash] = [hashNode(sibling, olderHash), hashNode(sibling, newerHash)];
      while (isEven(place) && place > 0) [place, last] = [half(place), half(last)];
    } else {
      newerHash = hashNode(newerHash, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  if (last !== 0) return fails('the proof is too short');
  if (!isSameHash(olderHash, older.root)) return fails('the proof leads to another old root');
  return isSameHash(newerHash, newer.root) ? HOLDS : fails('the proof leads to another new root');
}
