import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { createLog, manyEntries, rootByDefinition } from '../testing/log.ts';
import { emptyRoot, hashLeaf } from './hashes.ts';
import { verifyConsistency, verifyInclusion } from './proofs.ts';

/** The entries, roots and proofs of the tests of Certificate Transparency's implementations. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(hexToBytes);
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const INCLUSION = [
  [
    0,
    8,
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ],
  [
    5,
    8,
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    ROOTS[3],
  ],
  [2, 3, ROOTS[1]],
  [
    1,
    5,
    ROOTS[0],
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ],
] as const;
const CONSISTENCY = [
  [
    6,
    8,
    '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
    'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
    ROOTS[3],
  ],
  [
    2,
    5,
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  ],
] as const;

const headOf = (size: number) => ({ size, root: size === 0 ? emptyRoot() : hexToBytes(ROOTS[size - 1] ?? '') });

test('an empty tree has the root of RFC 6962 [R40]', () => {
  expect(bytesToHex(emptyRoot())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(createLog([]).builder.root()).toBeNull();
});

test.each(ROOTS.map((root, at) => [at + 1, root] as const))('the tree of %d entries: %s [R40]', async (size, root) => {
  const { builder, tree } = createLog(ENTRIES.slice(0, size));
  expect(bytesToHex(await tree.root())).toBe(root);
  expect(bytesToHex(builder.root() ?? emptyRoot())).toBe(root);
});

test.each(INCLUSION)('proves that entry %d is in the tree of %d [R40]', async (index, size, ...hashes) => {
  const proof = await createLog(ENTRIES.slice(0, size)).tree.inclusionProof(index);
  expect(proof.map(bytesToHex)).toEqual(hashes);
  const leaf = hashLeaf(ENTRIES[index] ?? new Uint8Array());
  expect(verifyInclusion(leaf, { index, ...headOf(size) }, proof)).toEqual({ holds: true });
});

test.each(CONSISTENCY)(
  'proves that the tree of %d is the beginning of that of %d [R40]',
  async (old, size, ...hashes) => {
    const proof = await createLog(ENTRIES.slice(0, size)).tree.consistencyProof(old);
    expect(proof.map(bytesToHex)).toEqual(hashes);
    expect(verifyConsistency(headOf(old), headOf(size), proof)).toEqual({ holds: true });
  },
);

const sizes = fc.integer({ min: 1, max: 700 });

test('proves every entry of a tree of any size, and only at its index [R40]', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.nat(), async (size, some, other) => {
      const entries = manyEntries(size);
      const [index, wrong] = [some % size, other % size];
      const root = rootByDefinition(entries);
      const proof = await createLog(entries).tree.inclusionProof(index);
      const leaf = hashLeaf(entries[index] ?? new Uint8Array());
      expect(verifyInclusion(leaf, { index, size, root }, proof).holds).toBe(true);
      expect(verifyInclusion(leaf, { index: wrong, size, root }, proof).holds).toBe(wrong === index);
    }),
    runs(60),
  );
});

test('proves that a later tree begins with every earlier one, and rejects any other root of that size [R40]', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), async (size, some) => {
      const entries = manyEntries(size);
      const old = 1 + (some % size);
      const older = { size: old, root: rootByDefinition(entries.slice(0, old)) };
      const newer = { size, root: rootByDefinition(entries) };
      const proof = await createLog(entries).tree.consistencyProof(old);
      expect(verifyConsistency(older, newer, proof)).toEqual({ holds: true });
      const forged = { ...older, root: hashLeaf(older.root) };
      expect(verifyConsistency(forged, newer, proof).holds).toBe(false);
      expect(verifyConsistency(older, { ...newer, root: hashLeaf(newer.root) }, proof).holds).toBe(false);
    }),
    runs(60),
  );
});

const proofOf = async (index: number) => createLog(ENTRIES).tree.inclusionProof(index);

test.each([
  ['cut short', (proof: Uint8Array[]) => proof.slice(1), 'the proof is too short'],
  ['with a hash more', (proof: Uint8Array[]) => [...proof, proof[0] as Uint8Array], 'the proof is too long'],
  ['in another order', (proof: Uint8Array[]) => proof.toReversed(), 'the proof leads to another root'],
])('rejects a proof %s with its reason [R42]', async (_what, change, reason) => {
  const leaf = hashLeaf(ENTRIES[5] ?? new Uint8Array());
  const result = verifyInclusion(leaf, { index: 5, ...headOf(8) }, change(await proofOf(5)));
  expect(result).toEqual({ holds: false, reason });
});

test.each([-1, 8, 0.5, Number.NaN])('rejects an index %d outside of the tree [R42]', async (index) => {
  const leaf = hashLeaf(ENTRIES[0] ?? new Uint8Array());
  expect(verifyInclusion(leaf, { index, ...headOf(8) }, await proofOf(0)).holds).toBe(false);
});

test('rejects a tree that became smaller, or has two roots for one size [R43]', () => {
  expect(verifyConsistency(headOf(8), headOf(7), [])).toEqual({ holds: false, reason: 'the tree has become smaller' });
  expect(verifyConsistency(headOf(4), { size: 4, root: headOf(5).root }, [])).toEqual({
    holds: false,
    reason: 'two roots for one size',
  });
  expect(verifyConsistency(headOf(0), headOf(5), [])).toEqual({ holds: true });
});
