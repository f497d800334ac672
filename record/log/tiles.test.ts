import { expect, test } from 'vitest';
import { createLog, manyEntries, rootByDefinition } from '../testing/log.ts';
import { hashLeaf } from './hashes.ts';
import { bundlePath, hashesOf, lastTiles, parsePath, tileAt, tilePath, TreeBuilder } from './tiles.ts';

test('writes indexes in groups of three digits, partial tiles with their width [R40]', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('tile/0/x001/x234/067');
  expect(tilePath({ level: 2, index: 0, width: 1 })).toBe('tile/2/000.p/1');
  expect(bundlePath({ index: 1_234_067, width: 8 })).toBe('tile/entries/x001/x234/067.p/8');
});

test.each(['tile/0/x001/x234/067', 'tile/2/000.p/1', 'tile/entries/273.p/112', 'tile/63/999'])(
  'reads the path %s back [R40]',
  (path) => {
    const file = parsePath(path);
    const { level, index, width } = file ?? { level: 'entries' as const, index: -1, width: 0 };
    expect(level === 'entries' ? bundlePath({ index, width }) : tilePath({ level, index, width })).toBe(path);
  },
);

test.each([
  'tile/00/000',
  'tile/64/000',
  'tile/0/0',
  'tile/0/x000/001',
  'tile/0/000.p/0',
  'tile/0/000.p/256',
  'tile/0/000.p/300',
  'tile/0/x001',
  'tile/0/../000',
  'tile/entries/000/',
  'checkpoint',
])('%s is not a path of a log [R40]', (path) => {
  expect(parsePath(path)).toBeNull();
});

test('a tree of 70,000 entries has 273 full tiles and four partial ones [R40]', () => {
  expect(tileAt(0, 272, 70_000)?.width).toBe(256);
  expect(tileAt(0, 274, 70_000)).toBeNull();
  expect(lastTiles(70_000).map(({ level, index, width }) => [level, index, width])).toEqual([
    [0, 273, 112],
    [1, 1, 17],
    [2, 0, 1],
  ]);
  expect(tileAt(1, 0, 70_000)?.width).toBe(256);
  expect(lastTiles(256).map(({ level, width }) => [level, width])).toEqual([
    [0, 256],
    [1, 1],
  ]);
});

test('a tree over three levels of tiles is read from its tiles, and its entries are proven from them [R40]', async () => {
  const entries = manyEntries(66_000);
  const { builder, tree } = createLog(entries);
  const root = rootByDefinition(entries);
  expect(builder.root()).toEqual(root);
  expect(await tree.root()).toEqual(root);
  expect(await tree.leaf(65_999)).toEqual(hashLeaf(entries[65_999] ?? new Uint8Array()));
});

test('appending continues from the partial tiles of an earlier size [R40]', () => {
  const entries = manyEntries(600);
  const first = createLog(entries.slice(0, 300));
  const rows: Uint8Array[][] = [];
  for (const { tile, bytes } of first.builder.partialTiles()) rows[tile.level] = hashesOf(bytes, tile.width);
  const builder = new TreeBuilder(
    300,
    Array.from(rows, (row) => row ?? []),
    () => undefined,
  );
  for (const entry of entries.slice(300)) builder.append(hashLeaf(entry));
  expect([builder.size, builder.root()]).toEqual([600, rootByDefinition(entries)]);
});

test('rejects a tile of a wrong length [R43]', async () => {
  const { files, tree } = createLog(manyEntries(10));
  files.set('tile/0/000.p/10', new Uint8Array(31));
  await expect(tree.root()).rejects.toThrow('a tile of 10 hashes has 320 bytes, not 31');
});
