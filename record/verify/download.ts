import { createHash } from 'node:crypto';
import { decodeBundle, encodeBundle } from '../log/bundles.ts';
import { emptyRoot, type Hash, hashLeaf } from '../log/hashes.ts';
import { bundlePath, type Tile, TILE_WIDTH, tileAt, tilePath, TreeBuilder } from '../log/tiles.ts';
import { fitting, MAX_BUNDLE_BYTES, MAX_TILE_BYTES } from '../proof/record-reader.ts';
import type { FileReader } from '../proof/remote-files.ts';
import { decodeEntry, type EntryOf, RecordError } from '../entries/entries.ts';
import { votesPath } from '../entries/votes-file.ts';
import { AHEAD, inOrder } from '../proof/in-order.ts';
import { LayoutReader, type ReadBatch } from './layout.ts';
import type { ListingFacts } from './listing-facts.ts';
import { Differences } from './report.ts';
import type { Spool } from './spool.ts';

export interface RootedBatch extends ReadBatch {
  root: Hash;
}

export interface Downloaded extends Pick<LayoutReader, 'anchors' | 'readings' | 'supply' | 'unknown'> {
  listings: ReadonlyMap<number, ListingFacts>;
  books: ReadonlyArray<EntryOf<'book'>>;
  paidByHand: number;
  batches: RootedBatch[];
  /** Root of all entries; null if the record could not be read to its end. */
  root: Hash | null;
  /** Root of the first `seenSize` entries; null if there are fewer, or none were requested. */
  seenRoot: Hash | null;
  files: number;
  fileDifferences: Differences;
  layoutDifferences: Differences;
}

const MAX_VOTES_BYTES = 512 * 1024 * 1024;

interface DownloadOptions {
  files: FileReader;
  size: number;
  /** True if the newest batch ends with its day. */
  isWholeDay: boolean;
  seenSize: number | null;
  spool: Spool;
  onProgress: (share: number) => void;
}

class FileChecker {
  readonly differences = new Differences();
  count = 0;
  private readonly files: FileReader;
  private readonly waiting: Array<Promise<void>> = [];
  /** The partial tile of each level that was compared last: a higher one has rarely grown since then. */
  private readonly compared: string[] = [];

  constructor(files: FileReader) {
    this.files = files;
  }

  compareTile = (tile: Tile, computed: Uint8Array): Promise<void> =>
    this.compare(tilePath(tile), MAX_TILE_BYTES, computed, 'hashes');

  private async compare(path: string, maxBytes: number, computed: Uint8Array, what: string): Promise<void> {
    this.count += 1;
    try {
      const published = await this.files(path, maxBytes);
      this.differences.expect(
        Buffer.compare(published, computed) === 0,
        () => `${path} has other ${what} than the record`,
      );
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.differences.add(error.message);
    }
  }

  private later(comparison: Promise<void>): void {
    comparison.catch(() => undefined);
    this.waiting.push(comparison);
  }

  /** Compares tiles above the lowest level during the download; full ones of the lowest come with their bundles. */
  readonly compareLater = (tile: Tile, computed: Uint8Array): void => {
    if (tile.level > 0) this.later(this.compareTile(tile, computed));
  };

  /** The partial files of a checkpoint, which stay published when the full ones exist. */
  comparePartial(tiles: ReadonlyArray<{ tile: Tile; bytes: Uint8Array }>, entries: readonly Uint8Array[]): void {
    for (const { tile, bytes } of tiles) {
      if (this.compared[tile.level] === tilePath(tile)) continue;
      this.compared[tile.level] = tilePath(tile);
      this.later(this.compareTile(tile, bytes));
      if (tile.level > 0) continue;
      this.later(this.compare(bundlePath(tile), MAX_BUNDLE_BYTES, encodeBundle(entries), 'entries'));
    }
  }

  /** A file of votes, by the hash in the record. */
  async compareVotes({ day, hash }: { day: string; hash: string }): Promise<void> {
    this.count += 1;
    try {
      const published = createHash('sha256').update(await this.files(votesPath(day), MAX_VOTES_BYTES));
      this.differences.expect(
        published.digest('base64url') === hash,
        () => `${votesPath(day)} has other votes than the record`,
      );
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.differences.add(error.message);
    }
  }

  /** Waits until at most this many comparisons are open. @throws RecordUnavailable */
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

async function loadBundle(files: FileReader, size: number, index: number, checker: FileChecker): Promise<Bundle> {
  const tile = tileAt(0, index, size) ?? { level: 0, index, width: TILE_WIDTH };
  const path = bundlePath(tile);
  const bytes = await files(path, MAX_BUNDLE_BYTES);
  const entries = await fitting(path, () => decodeBundle(bytes, tile.width));
  const leaves = entries.map(hashLeaf);
  await checker.compareTile(tile, Buffer.concat(leaves));
  return { width: tile.width, bytes, entries, leaves };
}

/** Downloads every entry and hash tile once, and keeps the entries in the spool. Memory grows by a few numbers a bundle. */
export async function downloadRecord({
  files,
  size,
  isWholeDay,
  seenSize,
  spool,
  onProgress,
}: DownloadOptions): Promise<Downloaded> {
  const checker = new FileChecker(files);
  const builder = new TreeBuilder(0, [], checker.compareLater);
  const layoutDifferences = new Differences();
  const layout = new LayoutReader(layoutDifferences);
  const batches: RootedBatch[] = [];
  const bundles = Math.ceil(size / TILE_WIDTH);
  let root: Hash | null = null;
  let seenRoot: Hash | null = null;

  async function readAll(): Promise<Hash> {
    let done = 0;
    for await (const { width, bytes, entries, leaves } of inOrder(bundles, (index) =>
      loadBundle(files, size, index, checker),
    )) {
      for (const [at, entry] of entries.entries()) {
        builder.append(leaves[at] ?? hashLeaf(entry));
        if (builder.size === seenSize) seenRoot = builder.root();
        const batch = layout.read(decodeEntry(entry));
        if (!batch) continue;
        batches.push({ ...batch, root: builder.root() ?? emptyRoot() });
        // The last checkpoint's own files are the bundles and tiles that are read anyway.
        if (builder.size < size) checker.comparePartial(builder.partialTiles(), entries.slice(0, at + 1));
      }
      await spool.append(bytes, width);
      await checker.catchUp(AHEAD);
      done += 1;
      onProgress(done / bundles);
    }
    layout.end();
    if (isWholeDay) layout.expectWholeDay();
    for (const { tile, bytes } of builder.partialTiles()) checker.compareLater(tile, bytes);
    const older = layout.votesFiles.splice(0, layout.votesFiles.length - 1);
    const chosen = [older[Math.floor(Math.random() * older.length)], ...layout.votesFiles];
    for (const file of chosen) if (file) await checker.compareVotes(file);
    await checker.catchUp(0);
    return builder.root() ?? emptyRoot();
  }

  try {
    root = await readAll();
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    layoutDifferences.add(error.message);
  }
  const { anchors, readings, supply, unknown } = layout;
  return {
    batches,
    root,
    seenRoot,
    anchors,
    readings,
    supply,
    unknown,
    listings: layout.facts.byProject,
    books: layout.sequences.books,
    paidByHand: layout.sequences.byHand,
    files: checker.count,
    fileDifferences: checker.differences,
    layoutDifferences,
  };
}
