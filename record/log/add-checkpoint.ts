import { toBase64 } from '@mysten/sui/utils';
import type { Hash } from './hashes.ts';
import { decodeHash, NoteError } from './note.ts';

/** The body of `add-checkpoint`, by which a log asks a witness for its cosignature (C2SP tlog-witness). */
export interface AddCheckpoint {
  oldSize: number;
  proof: Hash[];
  note: string;
}

const MAX_HASHES = 63;
export const MAX_ADD_CHECKPOINT_BYTES = 64 * 1024 + MAX_HASHES * 45 + 64;
export const SIZE_CONTENT_TYPE = 'text/x.tlog.size';

export const formatAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  `${[`old ${oldSize}`, ...proof.map(toBase64)].join('\n')}\n\n${note}`;

export function parseSize(text: string): number {
  const size = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new NoteError('Not a size');
  return size;
}

/** @throws NoteError for anything else */
export function parseAddCheckpoint(body: string): AddCheckpoint {
  const end = body.indexOf('\n\n');
  const [first = '', ...hashes] = end < 0 ? [] : body.slice(0, end).split('\n');
  if (!first.startsWith('old ') || hashes.length > MAX_HASHES) throw new NoteError('Not a request for a cosignature');
  const proof = hashes.map((line) => decodeHash(line, 'A line of the proof'));
  return { oldSize: parseSize(first.slice('old '.length)), proof, note: body.slice(end + 2) };
}
