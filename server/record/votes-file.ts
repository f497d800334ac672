import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Db } from '#db/client.ts';
import type { OpinionEntry } from '#record/entries/entries.ts';
import { VOTES_FILE_HEADER, voteLine, votesPath } from '#record/entries/votes-file.ts';

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

export const storeVotesFile = (trx: Db, day: string, bytes: Buffer): Promise<unknown> =>
  trx
    .insertInto('logFiles')
    .values({ path: votesPath(day), bytes })
    .execute();
