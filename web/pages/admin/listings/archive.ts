import { Unzip, type UnzipFile, UnzipInflate } from 'fflate';
import { IMAGE_MAX_BYTES } from '#shared/constants.ts';
import { UnreadableFileError } from './read-rows.ts';

/** The browser unpacks archives, not the server. Chunks are small: one byte of a malicious archive becomes a thousand. */
const CHUNK_BYTES = 16 * 1024;
const ARCHIVE_MAX_BYTES = 2 * 1024 * 1024 * 1024;
const MOST_FILES = 5_000;
const MOST_BYTES = 8 * 1024 * 1024 * 1024;

export interface Picture {
  name: string;
  bytes: Uint8Array;
}

export function pictureName(path: string): string | null {
  const parts = path.replaceAll('\\', '/').split('/');
  const name = parts.at(-1) ?? '';
  return name === '' || name.startsWith('.') || parts.includes('..') || parts[0] === '' || parts[0] === '__MACOSX'
    ? null
    : name;
}

function collect(file: UnzipFile, onBytes: (count: number) => void, onEnd: (bytes: Uint8Array | null) => void): void {
  let parts: Uint8Array[] = [];
  let size = 0;
  let isEnded = false;
  const end = (bytes: Uint8Array | null) => {
    if (isEnded) return;
    isEnded = true;
    parts = [];
    onEnd(bytes);
  };
  file.ondata = (error, data, isFinal) => {
    if (isEnded) return;
    if (error) throw new UnreadableFileError(`${file.name} in the archive is damaged.`);
    size += data.length;
    onBytes(data.length);
    if (size > IMAGE_MAX_BYTES) return end(null);
    parts.push(data.slice());
    if (isFinal) {
      const bytes = new Uint8Array(size);
      let at = 0;
      for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
      end(bytes);
    }
    return undefined;
  };
  file.start();
}

/** Reads on when `onPicture` is done. Skips pictures that are too large, and repeated names. @throws UnreadableFileError */
export async function readPictures(archive: Blob, onPicture: (picture: Picture) => Promise<void>): Promise<void> {
  if (archive.size > ARCHIVE_MAX_BYTES) throw new UnreadableFileError('The archive can have at most 2 GB.');
  const seen = new Set<string>();
  const ready: Picture[] = [];
  let files = 0;
  let total = 0;
  const count = (bytes: number) => {
    total += bytes;
    if (total > MOST_BYTES) throw new UnreadableFileError('The archive unpacks to more than 8 GB.');
  };
  const unzip = new Unzip((file) => {
    files += 1;
    if (files > MOST_FILES)
      throw new UnreadableFileError(`The archive can have at most ${MOST_FILES.toLocaleString('en-US')} files.`);
    const name = pictureName(file.name);
    const isWanted = name !== null && !seen.has(name);
    if (isWanted) seen.add(name);
    // A stream has to read unwanted files too.
    collect(file, count, (bytes) => {
      if (isWanted && bytes !== null && bytes.length > 0) ready.push({ name, bytes });
    });
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < archive.size; at += CHUNK_BYTES) {
    // oxlint-disable-next-line no-await-in-loop -- a stream
    const chunk = new Uint8Array(await archive.slice(at, at + CHUNK_BYTES).arrayBuffer());
    try {
      unzip.push(chunk, at + CHUNK_BYTES >= archive.size);
    } catch (error) {
      throw error instanceof UnreadableFileError
        ? error
        : new UnreadableFileError('The archive cannot be read. Use a zip file.');
    }
    for (let picture = ready.shift(); picture; picture = ready.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await onPicture(picture);
    }
  }
  if (files === 0) throw new UnreadableFileError('The archive cannot be read. Use a zip file.');
}
