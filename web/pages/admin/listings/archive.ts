import { BlobReader, ERR_SPLIT_ZIP_FILE, type FileEntry, ZipReader } from '@zip.js/zip.js/lib/zip-core-custom.js';
import { IMAGE_MAX_BYTES } from '#shared/constants.ts';
import { UnreadableFileError } from './decode-sheet.ts';
import { baseName, closest, isSystemFile, normalPath, possibleNames } from './entry-names.ts';

/*
 * The browser unpacks archives, not the server. It reads the directory at the end of the archive and then the entries that rows name: bytes
 * of a picture that look like a header, entries that no row names, and what cannot be unpacked do not matter to the others.
 */

const ARCHIVE_MAX_BYTES = 2 * 1024 * 1024 * 1024;
const DIRECTORY_MAX_BYTES = 32 * 1024 * 1024;
const MOST_FILES = 5_000;
const IMAGE_MAX_MB = IMAGE_MAX_BYTES / 1024 / 1024;
/** Packed bytes may exceed the picture by a few for each block. */
const PACKED_MAX_BYTES = IMAGE_MAX_BYTES * 1.01 + 1024;
const STORED = 0;
const DEFLATED = 8;
const METHODS: Record<number, string> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'xz',
  98: 'PPMd',
};

interface Entry {
  file: FileEntry;
  paths: readonly string[];
}

/** One file cannot be used; its row says why. */
export class UnusablePictureError extends Error {}

/** An archive that claims a huge directory must not fill the memory. */
class BoundedReader extends BlobReader {
  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > DIRECTORY_MAX_BYTES) throw new UnreadableFileError('The list of files in the archive is too long.');
    return super.readUint8Array(index, length);
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && ['NotReadableError', 'NotFoundError'].includes(error.name);
const gone = () => new UnreadableFileError('The archive was changed or moved. Choose it again.');

function failureOf(error: unknown): Error {
  if (error instanceof UnreadableFileError) return error;
  if (isGone(error)) return gone();
  return new UnreadableFileError(
    error instanceof Error && error.message === ERR_SPLIT_ZIP_FILE
      ? 'The archive is one part of several. Pack it as a single zip file.'
      : 'The archive cannot be read: it is not a zip file, or a part of it is missing.',
  );
}

async function readEntries(archive: Blob): Promise<Entry[]> {
  if (archive.size > ARCHIVE_MAX_BYTES) throw new UnreadableFileError('The archive can have at most 2 GB.');
  const entries: Entry[] = [];
  try {
    const reader = new ZipReader(new BoundedReader(archive), { strictness: 'tolerant', useWebWorkers: false });
    for await (const file of reader.getEntriesGenerator()) {
      if (file.directory || file.filename.endsWith('\\')) continue;
      if (entries.length === MOST_FILES)
        throw new UnreadableFileError(`The archive can have at most ${MOST_FILES.toLocaleString('en-US')} files.`);
      const names = possibleNames(file.filename, file.rawFilename, file.filenameUTF8);
      const paths = names.map(normalPath);
      if (!paths.some(isSystemFile)) entries.push({ file, paths });
    }
  } catch (error) {
    throw failureOf(error);
  }
  return entries;
}

const isSame = (a: FileEntry, b: FileEntry): boolean =>
  a.crc32 === b.crc32 && a.uncompressedSize === b.uncompressedSize;

function checkReadable(
  { encrypted, compressionMethod, compressedSize, uncompressedSize }: FileEntry,
  name: string,
): void {
  if (encrypted) throw new UnusablePictureError(`${name} in the archive is encrypted. Pack it without a password`);
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    throw new UnusablePictureError(
      `${name} in the archive is packed by ${METHODS[compressionMethod] ?? `method ${compressionMethod}`}, which browsers cannot unpack. Pack it as a usual zip file`,
    );
  if (uncompressedSize === 0) throw new UnusablePictureError(`${name} in the archive is empty`);
  if (uncompressedSize > IMAGE_MAX_BYTES || compressedSize > PACKED_MAX_BYTES)
    throw new UnusablePictureError(`${name} has more than ${IMAGE_MAX_MB} MB`);
}

async function unpack(file: FileEntry, name: string): Promise<Uint8Array<ArrayBuffer>> {
  checkReadable(file, name);
  const bytes = new Uint8Array(file.uncompressedSize);
  let size = 0;
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      // Beyond the size that the archive claims, this throws.
      bytes.set(chunk, size);
      size += chunk.length;
    },
  });
  try {
    await file.getData(writable, { checkCrc32: true });
  } catch (error) {
    if (isGone(error)) throw gone();
    throw new UnusablePictureError(`${name} in the archive is damaged`);
  }
  return bytes;
}

export interface PictureArchive {
  /** @throws UnusablePictureError; UnreadableFileError when the archive itself cannot be read any longer */
  read(name: string): Promise<Uint8Array<ArrayBuffer>>;
  /** Paths of files that were not asked for. */
  unread(): string[];
}

/** @throws UnreadableFileError */
export async function openArchive(archive: Blob): Promise<PictureArchive> {
  const entries = await readEntries(archive);
  const byName = new Map<string, Entry[]>();
  for (const entry of entries)
    for (const name of new Set(entry.paths.map(baseName))) {
      const alike = byName.get(name);
      if (alike) alike.push(entry);
      else byName.set(name, [entry]);
    }
  const asked = new Set<Entry>();

  function find(name: string): FileEntry {
    const path = normalPath(name);
    const alike = byName.get(baseName(path)) ?? [];
    const found = closest(path, alike);
    const [first] = found;
    if (!first) {
      const hint = alike.length === 0 ? '' : `, but ${alike[0]?.paths[0] ?? ''} is`;
      throw new UnusablePictureError(`${name} is not in the archive${hint}`);
    }
    for (const one of found) asked.add(one);
    if (found.every(({ file }) => isSame(file, first.file))) return first.file;
    const paths = [...new Set(found.map((one) => one.paths[0]))].slice(0, 3);
    throw new UnusablePictureError(
      paths.length === 1
        ? `${name} is in the archive more than once`
        : `${name} can be ${paths.join(' or ')}. Write the folder, too`,
    );
  }

  return {
    read: async (name) => unpack(find(name), name),
    unread: () => entries.filter((entry) => !asked.has(entry)).map(({ paths }) => paths[0] ?? ''),
  };
}
