import { toBase64 } from '@mysten/sui/utils';
import type { Hash } from './hashes.ts';
import { NoteError } from './note.ts';

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
