import { decodeBundle } from '../log/bundles.ts';
import type { Checkpoint } from '../log/checkpoint.ts';
import { HASH_BYTES, type Hash, hashLeaf } from '../log/hashes.ts';
import { verifyConsistency, verifyInclusion } from '../log/proofs.ts';
import { bundlePath, type Tile, TILE_WIDTH, tileAt, tilePath, treeOf } from '../log/tiles.ts';
import { decodeEntry, RecordError, type RecordEntry } from '../record/entries.ts';
import type { FileReader } from './remote-files.ts';

export const MAX_TILE_BYTES = TILE_WIDTH * HASH_BYTES;
/** An entry of the record has at most about 120 bytes; a server may not make a reader swallow more than this. */
export const MAX_BUNDLE_BYTES = TILE_WIDTH * 512;
/** Bundles that are kept: halving comes back to the same ones. */
const KEPT_BUNDLES = 256;

/** An entry with what shows anybody that it is in the log. */
export interface Proven {
  index: number;
  bytes: Uint8Array;
  entry: RecordEntry;
  proof: Hash[];
}

/** Turns what does not fit into one kind of error, whose message says where. */
export async function fitting<T>(where: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new RecordError(`${where}: ${error.message}`);
    throw error;
  }
}

/**
 * The record up to a signed checkpoint, read file by file as it is needed. What `entry` returns is what the server says;
 * `prove` and `proveOlder` show that it is part of what was signed.
 */
export function readRecord(files: FileReader, { size, root }: Pick<Checkpoint, 'size' | 'root'>) {
  const bundles = new Map<number, Promise<Uint8Array[]>>();
  const readTile = (tile: Tile): Promise<Uint8Array> => files(tilePath(tile), MAX_TILE_BYTES);
  const tree = treeOf(size, readTile);

  async function readBundle(index: number): Promise<Uint8Array[]> {
    const tile = tileAt(0, index, size);
    if (!tile) throw new RecordError(`The record of ${size} entries has no bundle ${index}`);
    const path = bundlePath(tile);
    const bytes = await files(path, MAX_BUNDLE_BYTES);
    return fitting(path, () => decodeBundle(bytes, tile.width));
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

  return {
    size,
    root,
    entry: async (index: number): Promise<RecordEntry> => decodeEntry(await bytesAt(index)),

    /** @throws RecordError where the entry's path does not lead to the signed root. */
    async prove(index: number): Promise<Proven> {
      const bytes = await bytesAt(index);
      const proof = await fitting(`The path of entry ${index}`, () => tree.inclusionProof(index));
      const result = verifyInclusion(hashLeaf(bytes), { index, size, root }, proof);
      if (!result.holds) throw new RecordError(`Entry ${index} is not in the signed record: ${result.reason}`);
      return { index, bytes, entry: decodeEntry(bytes), proof };
    },

    /** The root of the record when it had fewer entries. @throws RecordError where the signed one does not begin with it. */
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
