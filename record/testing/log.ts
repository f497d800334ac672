import { type Hash, hashAbove, hashLeaf } from '../log/hashes.ts';
import { type Tile, TreeBuilder, tilePath, type TileReader, treeOf } from '../log/tiles.ts';

/** A log in memory: the tiles of its present size, and all full ones. */
export function createLog(entries: readonly Uint8Array[]) {
  const files = new Map<string, Uint8Array>();
  const keep = (tile: Tile, bytes: Uint8Array): void => void files.set(tilePath(tile), bytes);
  const builder = new TreeBuilder(0, [], keep);
  for (const entry of entries) builder.append(hashLeaf(entry));
  for (const { tile, bytes } of builder.partialTiles()) keep(tile, bytes);
  const read: TileReader = (tile) => {
    const bytes = files.get(tilePath(tile));
    return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`no ${tilePath(tile)}`));
  };
  return { builder, files, read, tree: treeOf(entries.length, read) };
}

/** The root by the definition of RFC 6962, section 2.1: slow, and short enough to be trusted. */
export function rootByDefinition(entries: readonly Uint8Array[]): Hash {
  const [first] = entries;
  if (!first) throw new Error('an empty tree has a root of its own');
  if (entries.length === 1) return hashLeaf(first);
  const split = 2 ** Math.ceil(Math.log2(entries.length) - 1);
  return hashAbove([rootByDefinition(entries.slice(0, split)), rootByDefinition(entries.slice(split))]) as Hash;
}

export const manyEntries = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, at) => new TextEncoder().encode(`entry ${at}`));
