import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { sumLeaf, sumPath, sumRoot, sumRows, verifySumPath } from './sum-tree.ts';

const leafOf = (sum: bigint, at: number) => sumLeaf(new TextEncoder().encode(`${at}: ${sum}`), sum);
const leavesOf = (balances: readonly number[]) => balances.map((balance, at) => leafOf(BigInt(balance), at));

test('the root contains the total, and every balance is proven to be in it [R42]', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 200 }), fc.nat(), (balances, some) => {
      const leaves = leavesOf(balances);
      const rows = sumRows(leaves);
      const index = some % balances.length;
      const leaf = leafOf(BigInt(balances[index] ?? 0), index);
      expect(sumRoot(rows).sum).toBe(BigInt(balances.reduce((sum, one) => sum + one, 0)));
      expect(verifySumPath(leaf, sumPath(rows, index), sumRoot(rows))).toBe(true);
    }),
    runs(),
  );
});

test('a balance that differs by one token is not in the tree [R42]', () => {
  const rows = sumRows(leavesOf([10, 20, 30, 40, 50]));
  expect(verifySumPath(leafOf(31n, 2), sumPath(rows, 2), sumRoot(rows))).toBe(false);
  expect(verifySumPath(leafOf(30n, 3), sumPath(rows, 2), sumRoot(rows))).toBe(false);
});

test('a node that claims less than the sum below it does not lead to the root [R42]', () => {
  const rows = sumRows(leavesOf([10, 20, 30, 40, 50]));
  const [first, ...rest] = sumPath(rows, 0);
  if (!first) throw new Error('a path of five leaves has steps');
  const leaf = leafOf(10n, 0);
  expect(verifySumPath(leaf, [{ ...first, sum: 1n }, ...rest], sumRoot(rows))).toBe(false);
  expect(verifySumPath(leaf, [{ ...first, sum: -20n }, ...rest], sumRoot(rows))).toBe(false);
  expect(verifySumPath(leaf, rest, sumRoot(rows))).toBe(false);
});

test('the total is zero without any balance', () => {
  expect(sumRoot(sumRows([])).sum).toBe(0n);
});

test.each([-1n, 2n ** 63n])('rejects a balance of %s', (balance) => {
  expect(() => sumLeaf(new Uint8Array(), balance)).toThrow(RangeError);
});
