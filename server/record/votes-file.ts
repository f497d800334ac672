import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Db } from '#db/client.ts';
import { decodeBundle } from '#record/log/bundles.ts';
import { bundlePath, TILE_WIDTH, tileAt } from '#record/log/tiles.ts';
import { decodeEntry, type OpinionEntry, type RecordEntry } from '#record/entries/entries.ts';
import { VOTES_FILE_HEADER, voteLine, votesPath } from '#record/entries/votes-file.ts';
import { decompress } from './writer.ts';

/** Lines are joined to about this many characters before they are compressed. */
const CHUNK_CHARS = 256 * 1024;

/** The file of the votes of a day, compressed as it grows. */
export function createVotesFile() {
  const hash = createHash('sha256');
  const gzip = createGzip();
  const compressed: Buffer[] = [];
  gzip.on('data', (bytes: Buffer) => compressed.push(bytes));
  let waiting = VOTES_FILE_HEADER;
  async function write(): Promise<void> {
    hash.update(waiting);
    const isRoom = gzip.write(waiting);
    waiting = '';
    if (!isRoom) await once(gzip, 'drain');
  }
  return {
    async add(entry: OpinionEntry): Promise<void> {
      waiting += voteLine(entry);
      if (waiting.length >= CHUNK_CHARS) await write();
    },
    /** The hash is of the bytes before compression. */
    async end(): Promise<{ hash: string; bytes: Buffer }> {
      await write();
      const ended = once(gzip, 'end');
      gzip.end();
      await ended;
      return { hash: hash.digest('base64url'), bytes: Buffer.concat(compressed) };
    },
  };
}
export type VotesFile = ReturnType<typeof createVotesFile>;

const isOpinion = (entry: RecordEntry): entry is OpinionEntry => entry.kind === 'vote' || entry.kind === 'change';

/** Adds the votes of the earlier batches of a day: entries `from` to `size` of the stored log. */
export async function addEarlier(
  trx: Db,
  file: VotesFile,
  { from, size }: { from: number; size: number },
): Promise<void> {
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index += 1) {
    const width = tileAt(0, index, size)?.width ?? 0;
    const path = bundlePath({ index, width });
    // oxlint-disable-next-line no-await-in-loop -- one bundle after the other
    const { bytes } = await trx
      .selectFrom('logFiles')
      .select('bytes')
      .where('path', '=', path)
      .executeTakeFirstOrThrow();
    // oxlint-disable-next-line no-await-in-loop -- as above
    const entries = decodeBundle(await decompress(bytes), width);
    for (const [at, entry] of entries.entries()) {
      const decoded = index * TILE_WIDTH + at < from ? null : decodeEntry(entry);
      // oxlint-disable-next-line no-await-in-loop -- as above
      if (decoded && isOpinion(decoded)) await file.add(decoded);
    }
  }
}

export const storeVotesFile = (trx: Db, day: string, bytes: Buffer): Promise<unknown> =>
  trx
    .insertInto('logFiles')
    .values({ path: votesPath(day), bytes })
    .execute();
