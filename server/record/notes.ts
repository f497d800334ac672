import { type Checkpoint, openCheckpoint } from '#record/log/checkpoint.ts';
import { type Hash, isSameHash } from '#record/log/hashes.ts';
import { NoteError, type Verifier } from '#record/log/note.ts';
import { conflict } from '#server/kit/http/errors.ts';

function openSigned(note: string, key: Verifier): Checkpoint {
  try {
    return openCheckpoint(note, key);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw conflict('other_log_key', 'LOG_PRIVATE_KEY is not the key that has signed the record so far. Set that one.');
  }
}

/** @throws 409 if another key signed the note, or its columns differ from it: our key must sign nothing derived from them */
export function openStored(
  { size, root, signedNote }: { size: number; root: Hash; signedNote: string },
  key: Verifier,
): Checkpoint {
  const signed = openSigned(signedNote, key);
  if (signed.size !== size || !isSameHash(signed.root, root))
    throw conflict(
      'record_damaged',
      `The record has signed ${signed.size} entries, and its table has ${size} with another root. Restore a backup.`,
    );
  return signed;
}
