import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeBundle } from '../log/bundles.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { decodeEntry, type RecordEntry } from '../entries/entries.ts';

/** The bundles of the record in one temporary file: a record of any length is read again without another download. */
export interface Spool {
  append(bundle: Uint8Array, width: number): Promise<void>;
  /** The entries of a bundle from this index on. */
  entriesFrom(index: number): Promise<RecordEntry[]>;
  close(): Promise<void>;
}

interface Place {
  offset: number;
  bytes: number;
  width: number;
}

async function readAt(file: FileHandle, { offset, bytes }: Place): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(bytes), 0, bytes, offset);
  if (bytesRead !== bytes) throw new Error('The temporary file of the record was cut short');
  return buffer;
}

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-verify-'));
  const file = await open(path.join(folder, 'bundles'), 'w+');
  const places: Place[] = [];
  let end = 0;
  return {
    async append(bundle, width) {
      await file.write(bundle, 0, bundle.length, end);
      places.push({ offset: end, bytes: bundle.length, width });
      end += bundle.length;
    },
    async entriesFrom(index) {
      const place = places[Math.floor(index / TILE_WIDTH)];
      if (!place) return [];
      const entries = decodeBundle(await readAt(file, place), place.width);
      return entries.slice(index % TILE_WIDTH).map(decodeEntry);
    },
    async close() {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
