import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { Db } from '#db/client.ts';
import { CSV_MARK, csvLine } from '#shared/text/csv.ts';
import { listPictures, readAccount, readPicture } from './account.ts';
import { type Part, PARTS, readPart } from './parts.ts';

async function* csvOf(db: Db, userId: number, part: Part): AsyncGenerator<string> {
  yield CSV_MARK + csvLine(part.columns);
  for await (const rows of readPart(db, userId, part)) {
    const cell = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);
    yield rows.map((row) => csvLine(part.columns.map((column) => cell(row[column])))).join('');
  }
}

async function* jsonOf(db: Db, userId: number, part: Part): AsyncGenerator<string> {
  let separator = '[';
  for await (const rows of readPart(db, userId, part)) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[' ? '[]\n' : ']\n';
}

const readmeOf = (origin: string, at: Date): string =>
  [
    `Your data on ${origin}, as of ${at.toISOString()}.`,
    '',
    'account.json: profile, numbers, sessions, the terms that you agreed to, notifications, standing, and the secret under which your votes are in the public record.',
    ...PARTS.map(({ name, about }) => `${name}.json, ${name}.csv: ${about}.`),
    'pictures/: pictures that you uploaded and that are shown.',
    '',
    'Times are in UTC, Snaps whole numbers, MIST a thousand-millionth of a SUI. Each file was read separately while the archive was written.',
    'Not in here: what admins did (their audit log), and what others wrote about your projects, which the site shows.',
    '',
  ].join('\n');

function addLazily(zip: ZipFile, name: string, mtime: Date, makeContent: () => Readable): void {
  zip.addReadStreamLazy(name, { mtime }, (done) => {
    const content = makeContent();
    // yazl does not listen to streams: an unhandled error event would end the process.
    content.once('error', (error) => zip.emit('error', error));
    done(null, content);
  });
}

/** Written while it is read, so that memory stays bounded. */
export async function writeArchive(db: Db, userId: number, origin: string): Promise<Readable> {
  const [account, pictures] = await Promise.all([readAccount(db, userId), listPictures(db, userId)]);
  const at = new Date();
  const zip = new ZipFile();
  const options = { mtime: at };
  zip.addBuffer(Buffer.from(readmeOf(origin, at)), 'README.txt', options);
  zip.addBuffer(Buffer.from(JSON.stringify(account, null, 2)), 'account.json', options);
  for (const part of PARTS) {
    addLazily(zip, `${part.name}.json`, at, () => Readable.from(jsonOf(db, userId, part)));
    addLazily(zip, `${part.name}.csv`, at, () => Readable.from(csvOf(db, userId, part)));
  }
  for (const hash of pictures) {
    async function* bytes(): AsyncGenerator<Buffer> {
      yield await readPicture(db, hash);
    }
    addLazily(zip, `pictures/${hash}.webp`, at, () => Readable.from(bytes()));
  }
  const output = new Readable().wrap(zip.outputStream);
  zip.on('error', (error: Error) => output.destroy(error));
  zip.end();
  return output;
}
