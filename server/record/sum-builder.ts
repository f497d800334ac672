import { HASH_BYTES } from '#record/log/hashes.ts';
import { type SumNode, sumRoot, sumRows } from '#record/log/sum-tree.ts';

/** Nodes of a group: eight rows of the tree above them are computed when needed. */
export const GROUP = 256;
const NODE_BYTES = HASH_BYTES + 8;

export function encodeGroup(nodes: readonly SumNode[]): Buffer {
  const bytes = Buffer.alloc(nodes.length * NODE_BYTES);
  nodes.forEach(({ hash, sum }, at) => {
    bytes.set(hash, at * NODE_BYTES);
    bytes.writeBigUInt64BE(sum, at * NODE_BYTES + HASH_BYTES);
  });
  return bytes;
}

export const decodeGroup = (bytes: Buffer): SumNode[] =>
  Array.from({ length: bytes.length / NODE_BYTES }, (_, at) => {
    const node = bytes.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES);
    return { hash: node.subarray(0, HASH_BYTES), sum: node.readBigUInt64BE(HASH_BYTES) };
  });

/** Builds a tree of sums (`sumRows`) leaf by leaf with one group per eight rows in memory, and returns each group. */
export class SumBuilder {
  private readonly groups: SumNode[][] = [];
  private readonly positions: number[] = [];
  private readonly onGroup: (level: number, position: number, nodes: readonly SumNode[]) => void;

  constructor(onGroup: (level: number, position: number, nodes: readonly SumNode[]) => void) {
    this.onGroup = onGroup;
  }

  append(leaf: SumNode): void {
    this.push(0, leaf);
  }

  finish(): SumNode {
    for (let level = 0; ; level += 1) {
      const group = this.groups[level] ?? [];
      const position = this.positions[level] ?? 0;
      // The one node above all others is the root; only a tree without leaves has none.
      if (level > 0 && position === 0 && group.length === 1) return group[0] as SumNode;
      if (level === 0 && position === 0 && group.length === 0) return sumRoot(sumRows([]));
      if (group.length > 0) this.close(level, group);
    }
  }

  private push(level: number, node: SumNode): void {
    const group = (this.groups[level] ??= []);
    group.push(node);
    if (group.length === GROUP) this.close(level, group);
  }

  private close(level: number, group: SumNode[]): void {
    const position = this.positions[level] ?? 0;
    this.positions[level] = position + 1;
    this.groups[level] = [];
    this.onGroup(level, position, group);
    this.push(level + 1, sumRoot(sumRows(group)));
  }
}
