import { type Checkpoint, openCheckpoint } from '#record/log/checkpoint.ts';
import { type Hash, isSameHash } from '#record/log/hashes.ts';
import type { Verifier } from '#record/log/note.ts';

/**
 * @throws where another key signed the note, or its columns differ from it: our key must sign nothing derived from
 * them
 */
export function openStored(
  { size, root, signedNote }: { size: number; root: Hash; signedNote: string },
  key: Verifier,
): Checkpoint {
  const signed = openCheckpoint(signedNote, key);
  if (signed.size !== size || !isSameHash(signed.root, root))
    throw new Error(`the log signed ${signed.size} entries, and its table says ${size} with another root`);
  return signed;
}
