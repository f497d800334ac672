import { decodeBundle } from '../log/bundles.ts';
import type { Checkpoint } from '../log/checkpoint.ts';
import { HASH_BYTES, type Hash, hashLeaf, isSameHash } from '../log/hashes.ts';
import { verifyConsistency, verifyInclusion } from '../log/proofs.ts';
import { bundlePath, type Tile, TILE_WIDTH, tileAt, tilePath, treeOf } from '../log/tiles.ts';
import { readBatches } from '../entries/batches.ts';
import { decodeEntry, type OtherEntry, RecordError, type RecordEntry } from '../entries/entries.ts';
import type { FileReader } from './remote-files.ts';

export const MAX_TILE_BYTES = TILE_WIDTH * HASH_BYTES;
/** An entry of the record has at most about 150 bytes; a server must not make a reader load more than this. */
export const MAX_BUNDLE_BYTES = TILE_WIDTH * 512;
/** Number of cached bundles: a binary search returns to the same ones. */
const KEPT_BUNDLES = 256;

export async function fitting<T>(where: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new RecordError(`${where}: ${error.message}`);
    throw error;
  }
}

/** The record up to a signed checkpoint, read file by file as needed. Every returned entry is proven to be in it. */
export function readRecord(files: FileReader, { size, root }: Pick<Checkpoint, 'size' | 'root'>) {
  const bundles = new Map<number, Promise<Uint8Array[]>>();
  const readTile = (tile: Tile): Promise<Uint8Array> => files(tilePath(tile), MAX_TILE_BYTES);
  const tree = treeOf(size, readTile);

  const proofOf = (index: number): Promise<Hash[]> =>
    fitting(`The path of entry ${index}`, () => tree.inclusionProof(index));

  /** The tile is part of the tree: the path of its last leaf is computed from its other hashes. */
  async function expectSigned(first: number, entries: readonly Uint8Array[]): Promise<void> {
    for (const [at, entry] of entries.entries()) {
      const leaf = await fitting(`Entry ${first + at}`, () => tree.leaf(first + at));
      if (!isSameHash(hashLeaf(entry), leaf)) {
        throw new RecordError(`Entry ${first + at} is not in the signed record: its hash tile has another hash`);
      }
    }
    const index = first + entries.length - 1;
    const leaf = await tree.leaf(index);
    const result = verifyInclusion(leaf, { index, size, root }, await proofOf(index));
    if (!result.holds) throw new RecordError(`Entry ${index} is not in the signed record: ${result.reason}`);
  }

  async function readBundle(index: number): Promise<Uint8Array[]> {
    const tile = tileAt(0, index, size);
    if (!tile) throw new RecordError(`The record of ${size} entries has no bundle ${index}`);
    const path = bundlePath(tile);
    const bytes = await files(path, MAX_BUNDLE_BYTES);
    const entries = await fitting(path, () => decodeBundle(bytes, tile.width));
    await expectSigned(index * TILE_WIDTH, entries);
    return entries;
  }

  function bundle(index: number): Promise<Uint8Array[]> {
    const known = bundles.get(index) ?? readBundle(index);
    bundles.delete(index);
    bundles.set(index, known);
    const [oldest] = bundles.keys();
    if (bundles.size > KEPT_BUNDLES && oldest !== undefined) bundles.delete(oldest);
    return known;
  }

  async function bytesAt(index: number): Promise<Uint8Array> {
    const bytes = (await bundle(Math.floor(index / TILE_WIDTH)))[index % TILE_WIDTH];
    if (!bytes) throw new RecordError(`The record of ${size} entries has no entry ${index}`);
    return bytes;
  }

  const entryAt = async (index: number): Promise<RecordEntry> => decodeEntry(await bytesAt(index));

  return {
    size,
    root,
    /** @throws RecordError if the signed record does not contain it */
    entry: entryAt,

    async newest<K extends OtherEntry['kind']>(kind: K): Promise<Extract<OtherEntry, { kind: K }> | null> {
      for await (const { others } of readBatches(size, entryAt)) {
        for (let index = others.end - 1; index >= others.start; index -= 1) {
          const entry = await entryAt(index);
          if (entry.kind === kind) return entry as Extract<OtherEntry, { kind: K }>;
        }
      }
      return null;
    },

    prove: async (index: number): Promise<{ bytes: Uint8Array; proof: Hash[] }> => ({
      bytes: await bytesAt(index),
      proof: await proofOf(index),
    }),

    /** The root of the record when it had fewer entries. @throws RecordError if the signed one does not begin with it. */
    async proveOlder(oldSize: number): Promise<Hash> {
      if (oldSize === size) return root;
      const where = `The record of ${oldSize} entries`;
      const oldRoot = await fitting(where, () => tree.rootAt(oldSize));
      const proof = await fitting(where, () => tree.consistencyProof(oldSize));
      const result = verifyConsistency({ size: oldSize, root: oldRoot }, { size, root }, proof);
      if (!result.holds) throw new RecordError(`${where} is not the beginning of the signed one: ${result.reason}`);
      return oldRoot;
    },
  };
}

export type RecordReader = ReturnType<typeof readRecord>;
