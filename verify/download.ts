import { decodeBundle } from '#shared/log/bundles.ts';
import { emptyRoot, type Hash, hashLeaf } from '#shared/log/hashes.ts';
import { bundlePath, type Tile, TILE_WIDTH, tileAt, tilePath, TreeBuilder } from '#shared/log/tiles.ts';
import { fitting, MAX_BUNDLE_BYTES, MAX_TILE_BYTES } from '#shared/proof/record-reader.ts';
import type { FileReader } from '#shared/proof/remote-files.ts';
import type { Batch } from '#shared/record/batches.ts';
import { decodeEntry, RecordError } from '#shared/record/entries.ts';
import { AHEAD, inOrder } from './in-order.ts';
import { LayoutReader } from './layout.ts';
import { Differences } from './report.ts';
import type { Spool } from './spool.ts';

/** A batch, and the root of the tree that ends with it. */
export interface RootedBatch extends Batch {
  root: Hash;
}

export interface Downloaded {
  batches: RootedBatch[];
  /** Of all entries; null where the record could not be read to its end. */
  root: Hash | null;
  /** Hash tiles that were compared. */
  tiles: number;
  tileDifferences: Differences;
  layoutDifferences: Differences;
}

interface DownloadOptions {
  files: FileReader;
  size: number;
  spool: Spool;
  onProgress: (share: number) => void;
}

/** Compares hash tiles as they are computed with what the server publishes. */
class TileChecker {
  readonly differences = new Differences();
  count = 0;
  private readonly files: FileReader;
  private readonly waiting: Array<Promise<void>> = [];

  constructor(files: FileReader) {
    this.files = files;
  }

  async compare(tile: Tile, computed: Uint8Array): Promise<void> {
    const path = tilePath(tile);
    this.count += 1;
    try {
      const published = await this.files(path, MAX_TILE_BYTES);
      this.differences.expect(
        Buffer.compare(published, computed) === 0,
        () => `${path} has other hashes than the entries`,
      );
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.differences.add(error.message);
    }
  }

  /** Compares tiles above the lowest level while the download goes on. */
  readonly compareLater = (tile: Tile, computed: Uint8Array): void => {
    if (tile.level === 0) return;
    const comparison = this.compare(tile, computed);
    comparison.catch(() => undefined);
    this.waiting.push(comparison);
  };

  /** Waits until no more than so many comparisons are under way. @throws RecordUnavailable */
  async catchUp(left: number): Promise<void> {
    while (this.waiting.length > left) await this.waiting.shift();
  }
}

interface Bundle {
  width: number;
  bytes: Uint8Array;
  entries: Uint8Array[];
  leaves: Hash[];
}

/** A bundle, after its entries were compared with their hash tile. */
async function loadBundle(files: FileReader, size: number, index: number, tiles: TileChecker): Promise<Bundle> {
  const tile = tileAt(0, index, size) ?? { level: 0, index, width: TILE_WIDTH };
  const path = bundlePath(tile);
  const bytes = await files(path, MAX_BUNDLE_BYTES);
  const entries = await fitting(path, () => decodeBundle(bytes, tile.width));
  const leaves = entries.map(hashLeaf);
  await tiles.compare(tile, Buffer.concat(leaves));
  return { width: tile.width, bytes, entries, leaves };
}

/**
 * Downloads every entry and every hash tile of the record once, computes the tree from the entries, and keeps the entries in the
 * spool. Memory does not grow with the record, except by a few numbers for each bundle and batch.
 * @throws RecordUnavailable
 */
export async function downloadRecord({ files, size, spool, onProgress }: DownloadOptions): Promise<Downloaded> {
  const tiles = new TileChecker(files);
  const builder = new TreeBuilder(0, [], tiles.compareLater);
  const layoutDifferences = new Differences();
  const layout = new LayoutReader(layoutDifferences);
  const batches: RootedBatch[] = [];
  const bundles = Math.ceil(size / TILE_WIDTH);
  let root: Hash | null = null;

  async function readAll(): Promise<Hash> {
    let done = 0;
    for await (const { width, bytes, entries, leaves } of inOrder(bundles, (index) =>
      loadBundle(files, size, index, tiles),
    )) {
      for (const [at, entry] of entries.entries()) {
        builder.append(leaves[at] ?? hashLeaf(entry));
        const batch = layout.read(decodeEntry(entry));
        if (batch) batches.push({ ...batch, root: builder.root() ?? emptyRoot() });
      }
      await spool.append(bytes, width);
      await tiles.catchUp(AHEAD);
      done += 1;
      onProgress(done / bundles);
    }
    layout.end();
    for (const { tile, bytes } of builder.partialTiles()) tiles.compareLater(tile, bytes);
    await tiles.catchUp(0);
    return builder.root() ?? emptyRoot();
  }

  try {
    root = await readAll();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    layoutDifferences.add(error.message);
  }
  return { batches, root, tiles: tiles.count, tileDifferences: tiles.differences, layoutDifferences };
}
