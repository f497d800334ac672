/**
 * A tree of RFC 6962 as arithmetic: the perfect subtrees that make up the hash of a range, and the ranges that make up
 * a proof. Sizes and indexes are whole numbers up to 2^53, so nothing here shifts bits.
 */

/** A perfect subtree of 2^level entries, the index-th of its level from the left. */
export interface Node {
  level: number;
  index: number;
}

export interface Range {
  start: number;
  end: number;
}

function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The perfect subtrees under a range that a tree of RFC 6962 has as a subtree, from left to right; their hashes are combined by `hashAbove`. */
export function nodesUnder({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = start; at < end;) {
    let [level, width] = [0, 1];
    while (width * 2 <= end - at) [level, width] = [level + 1, width * 2];
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** The ranges whose hashes prove that an entry is in a tree: the sibling of the leaf first, the child of the root last. */
export function inclusionRanges(index: number, size: number): Range[] {
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.toReversed();
}

/** The ranges whose hashes prove that a tree begins with a smaller one (RFC 6962, section 2.1.2); none for equal sizes. */
export function consistencyRanges(oldSize: number, size: number): Range[] {
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  /** The verifier knows the old tree's root, as long as the range began at the start of the old tree. */
  let isKnown = true;
  while (oldSize !== end) {
    const middle = start + splitOf(end - start);
    if (oldSize <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
      isKnown = false;
    }
  }
  if (!isKnown) ranges.push({ start, end });
  return ranges.toReversed();
}
