import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { decodeBundle, encodeBundle } from '#record/log/bundles.ts';
import { emptyRoot, type Hash, hashLeaf, isSameHash } from '#record/log/hashes.ts';
import { bundlePath, hashesOf, lastTiles, type Tile, TILE_WIDTH, TreeBuilder, tilePath } from '#record/log/tiles.ts';
import { encodeEntry, type RecordEntry } from '#record/entries/entries.ts';
import { conflict } from '#server/kit/http/errors.ts';

export const compress = promisify<Uint8Array, Buffer>(gzip);
export const decompress = promisify<Uint8Array, Buffer>(gunzip);

/**
 * Appends entries to the log with a few tiles in memory. Files wait apart until the batch is whole, so that it may be written in many transactions:
 * `flush` writes full ones, `finish` the rest, and all of them to the log.
 */
export interface LogWriter {
  readonly size: number;
  append(entry: RecordEntry): void;
  flush(trx: Db): Promise<void>;
  /** Returns the root of the whole log. @throws where another server has begun the same batch */
  finish(trx: Db): Promise<Hash>;
}

const damaged = (what: string) => conflict('record_damaged', `${what}. Restore a backup (docs/operate/backup.md).`);

async function readFile(trx: Db, path: string): Promise<Buffer> {
  const { bytes } = await trx
    .selectFrom('logFiles')
    .select('bytes')
    .where('path', '=', path)
    .executeTakeFirstOrThrow(() => damaged(`The record has no file ${path}`));
  return bytes;
}

/** The hashes of the partial tiles of a log of that size, level by level. */
async function readRows(trx: Db, size: number): Promise<Hash[][]> {
  const rows: Hash[][] = [];
  for (const tile of lastTiles(size)) {
    const isFull = tile.width === TILE_WIDTH;
    // Copies: a slice would keep the whole tile in memory.
    rows.push(isFull ? [] : hashesOf(await readFile(trx, tilePath(tile)), tile.width).map((hash) => hash.slice()));
  }
  return rows;
}

async function readLastEntries(trx: Db, size: number): Promise<Uint8Array[]> {
  const width = size % TILE_WIDTH;
  if (width === 0) return [];
  const path = bundlePath({ index: Math.floor(size / TILE_WIDTH), width });
  return decodeBundle(await decompress(await readFile(trx, path)), width);
}

/** Whether there are files of a longer log, which was signed: a table may have been restored alone. */
async function isLonger(trx: Db, size: number): Promise<boolean> {
  const index = Math.floor(size / TILE_WIDTH);
  const widths = Array.from({ length: TILE_WIDTH - (size % TILE_WIDTH) }, (_, at) => TILE_WIDTH - at);
  const paths = widths.map((width) => bundlePath({ index, width }));
  const found = await trx.selectFrom('logFiles').select('path').where('path', 'in', paths).limit(1).executeTakeFirst();
  return found !== undefined;
}

/** Continues a log. @throws 409 if its files do not lead to the root of its checkpoint, or are of a longer log */
export async function openLog(db: Db, { size, root }: { size: number; root: Hash }): Promise<LogWriter> {
  const files: Array<{ path: string; bytes: Uint8Array; isBundle: boolean }> = [];
  const known = new Set(lastTiles(size).map(tilePath));
  const addTile = (tile: Tile, bytes: Uint8Array): void => {
    // A higher tile that has not grown is in the log already.
    if (!known.has(tilePath(tile))) files.push({ path: tilePath(tile), bytes, isBundle: false });
  };
  const builder = new TreeBuilder(size, await readRows(db, size), addTile);
  if (!isSameHash(builder.root() ?? emptyRoot(), root))
    throw damaged(`The files of the record do not fit its ${size} entries`);
  if (await isLonger(db, size)) throw damaged(`The record has files of entries after its ${size} signed ones`);
  await db.deleteFrom('stagedFiles').execute();
  const run = randomUUID();
  let staged = 0;
  let bundle = await readLastEntries(db, size);
  const addBundle = (): void => {
    const index = Math.floor((builder.size - bundle.length) / TILE_WIDTH);
    files.push({ path: bundlePath({ index, width: bundle.length }), bytes: encodeBundle(bundle), isBundle: true });
  };
  async function flush(trx: Db): Promise<void> {
    if (files.length === 0) return;
    const written = files.splice(0);
    const rows = written.map(async ({ path, bytes, isBundle }) => ({
      run,
      path,
      bytes: isBundle ? await compress(bytes) : Buffer.from(bytes),
    }));
    await trx
      .insertInto('stagedFiles')
      .values(await Promise.all(rows))
      .execute();
    staged += rows.length;
  }
  return {
    get size() {
      return builder.size;
    },
    append(entry) {
      const bytes = encodeEntry(entry);
      builder.append(hashLeaf(bytes));
      bundle.push(bytes);
      if (bundle.length < TILE_WIDTH) return;
      addBundle();
      bundle = [];
    },
    flush,
    async finish(trx) {
      for (const { tile, bytes } of builder.partialTiles()) addTile(tile, bytes);
      if (bundle.length > 0 && builder.size > size) addBundle();
      await flush(trx);
      const own = trx.selectFrom('stagedFiles').select(['path', 'bytes']).where('run', '=', run);
      const { numInsertedOrUpdatedRows: written = 0n } = await trx
        .insertInto('logFiles')
        .columns(['path', 'bytes'])
        .expression(own)
        .executeTakeFirst();
      if (Number(written) !== staged) throw conflict('already_publishing', 'Another server has begun this batch.');
      await trx.deleteFrom('stagedFiles').where('run', '=', run).execute();
      return builder.root() ?? emptyRoot();
    },
  };
}

/** Rows of a query in pages, read as the database finds them: neither side has all of them in memory. */
export async function* readInPages<Row>(trx: Db, name: string, query: ReturnType<typeof sql>): AsyncGenerator<Row[]> {
  await sql`DECLARE ${sql.id(name)} NO SCROLL CURSOR FOR ${query}`.execute(trx);
  for (;;) {
    const { rows } = await sql<Row>`FETCH ${sql.lit(PAGE_ROWS)} FROM ${sql.id(name)}`.execute(trx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`CLOSE ${sql.id(name)}`.execute(trx);
}

/** A few milliseconds of work at a time, with requests in between. */
const PAGE_ROWS = 1_000;
