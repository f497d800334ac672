import { toBase64 } from '@mysten/sui/utils';
import type { Hash } from './hashes.ts';
import { decodeHash, NoteError, openNote, signNote, type Signer, type Verifier } from './note.ts';

/** A log's commitment (C2SP tlog-checkpoint): all of its entries up to a size. */
export interface Checkpoint {
  /** The log's name: its address without the scheme. */
  origin: string;
  size: number;
  root: Hash;
}

export function signCheckpoint({ origin, size, root }: Checkpoint, signer: Signer): string {
  return signNote(`${origin}\n${size}\n${toBase64(root)}\n`, signer);
}

export const openCheckpoint = (note: string, key: Verifier): Checkpoint => readCheckpoint(openNote(note, [key]), key);

/** Reads the signed text of a note. Ignores further lines, which cannot be verified. @throws NoteError */
export function readCheckpoint(text: string, key: Pick<Verifier, 'name'>): Checkpoint {
  const lines = text.slice(0, -1).split('\n');
  const [origin = '', size = '', root = ''] = lines;
  if (lines.length < 3 || lines.includes('')) throw new NoteError('The checkpoint has too few lines, or an empty one');
  if (origin !== key.name) throw new NoteError(`The checkpoint is of the log ${origin}, not of ${key.name}`);
  if (!/^(?:0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new NoteError('Checkpoint size is not a number');
  }
  return { origin, size: Number(size), root: decodeHash(root, 'Checkpoint root') };
}
