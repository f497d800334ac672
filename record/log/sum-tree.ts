import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { type Hash, isSameHash } from './hashes.ts';

/**
 * A Merkle tree whose nodes carry sums: its root commits to every leaf's amount and to their total, and a path proves
 * that a leaf is in it. A node's hash covers the sums of both children, so no node can claim less than the sum below
 * it.
 */
export interface SumNode {
  hash: Hash;
  /** Whole Snaps, 0 or more. */
  sum: bigint;
}

export interface SumStep extends SumNode {
  side: 'left' | 'right';
}

const LEAF_PREFIX = Uint8Array.of(0);
const NODE_PREFIX = Uint8Array.of(1);
const SUM_BYTES = 8;
const MAX_SUM = 2n ** 63n;

/** @throws RangeError below 0, and from 2^63 on */
export function bytesOf(sum: bigint): Uint8Array {
  if (sum < 0n || sum >= MAX_SUM) throw new RangeError('a sum is a whole number from 0 to below 2^63');
  const bytes = new Uint8Array(SUM_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, sum);
  return bytes;
}

/** `content` has a salt, or others could guess it. */
export function sumLeaf(content: Uint8Array, sum: bigint): SumNode {
  bytesOf(sum);
  return { hash: sha256(concatBytes(LEAF_PREFIX, content)), sum };
}

function parent(left: SumNode, right: SumNode): SumNode {
  const sum = left.sum + right.sum;
  bytesOf(sum);
  const parts = [NODE_PREFIX, left.hash, bytesOf(left.sum), right.hash, bytesOf(right.sum)];
  return { hash: sha256(concatBytes(...parts)), sum };
}

/** The rows of the tree from the leaves to the root; the last node of an odd row moves up unchanged. */
export function sumRows(leaves: readonly SumNode[]): SumNode[][] {
  const rows: SumNode[][] = [leaves.length > 0 ? [...leaves] : [sumLeaf(new Uint8Array(), 0n)]];
  for (let row = rows[0] ?? []; row.length > 1;) {
    const below = row;
    row = Array.from({ length: Math.ceil(below.length / 2) }, (_, at) => {
      const [left, right] = [below[at * 2] as SumNode, below[at * 2 + 1]];
      return right ? parent(left, right) : left;
    });
    rows.push(row);
  }
  return rows;
}

export const sumRoot = (rows: readonly SumNode[][]): SumNode => rows.at(-1)?.[0] as SumNode;

export function sumPath(rows: readonly SumNode[][], index: number): SumStep[] {
  const steps: SumStep[] = [];
  let at = index;
  for (const row of rows.slice(0, -1)) {
    const sibling = row[at % 2 === 0 ? at + 1 : at - 1];
    if (sibling) steps.push({ ...sibling, side: at % 2 === 0 ? 'right' : 'left' });
    at = Math.floor(at / 2);
  }
  return steps;
}

/** Whether a leaf is part of the tree with this root: hash and total. A sum below zero on the path fails. */
export function verifySumPath(leaf: SumNode, path: readonly SumStep[], root: SumNode): boolean {
  try {
    const top = path.reduce<SumNode>(
      (node, step) => (step.side === 'left' ? parent(step, node) : parent(node, step)),
      leaf,
    );
    return top.sum === root.sum && isSameHash(top.hash, root.hash);
  } catch {
    return false;
  }
}
