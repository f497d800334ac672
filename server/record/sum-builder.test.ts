import { expect, test } from 'vitest';
import { hashLeaf } from '#record/log/hashes.ts';
import { sumPath, sumRoot, sumRows, verifySumPath, type SumNode } from '#record/log/sum-tree.ts';
import { manyEntries } from '#record/testing/log.ts';
import { pathThrough, positionOf } from './own-liability.ts';
import { encodeGroup, SumBuilder } from './sum-builder.ts';

const leavesOf = (count: number): SumNode[] =>
  manyEntries(count)
    .map((entry, at) => ({ hash: hashLeaf(entry), sum: BigInt(at * 10 + 1) }))
    .toSorted((one, other) => Buffer.compare(one.hash, other.hash));

test.each([0, 1, 2, 3, 255, 256, 257, 512, 513, 65_537])(
  'groups of %i leaves lead to the root of all of them, to the same paths, and from a hash to its place [R40]',
  async (count) => {
    const leaves = leavesOf(count);
    const groups = new Map<string, Buffer>();
    const builder = new SumBuilder((level, position, nodes) => groups.set(`${level}/${position}`, encodeGroup(nodes)));
    for (const leaf of leaves) builder.append(leaf);
    const rows = sumRows(leaves);
    const root = builder.finish();
    expect(root).toEqual(sumRoot(rows));
    const read = async (level: number, position: number): Promise<Buffer> => {
      const group = groups.get(`${level}/${position}`);
      if (!group) throw new Error(`no group ${level}/${position}`);
      return group;
    };
    const places = new Set([0, 1, 254, 255, 256, 511, 65_535, 65_536, count - 2, count - 1]);
    for (const at of places) {
      const leaf = leaves[at];
      if (!leaf) continue;
      expect(await positionOf(read, leaf.hash, count)).toBe(at);
      const path = await pathThrough(read, at, count);
      expect(path.map(({ side, sum }) => [side, sum])).toEqual(sumPath(rows, at).map(({ side, sum }) => [side, sum]));
      expect(verifySumPath(leaf, path, root)).toBe(true);
    }
    for (const edge of [0, 255]) {
      const unknown = Buffer.alloc(32, edge);
      await expect(positionOf(read, unknown, count)).rejects.toThrow('no leaf of this hash');
    }
  },
);
