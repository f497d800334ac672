import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { type AddCheckpoint, parseAddCheckpoint } from '#record/log/add-checkpoint.ts';
import { type Checkpoint, openCheckpoint } from '#record/log/checkpoint.ts';
import { cosign } from '#record/log/cosignature.ts';
import { emptyRoot, isSameHash } from '#record/log/hashes.ts';
import { NoteError, type Signer, splitNote, type Verifier } from '#record/log/note.ts';
import { verifyConsistency } from '#record/log/proofs.ts';

/** Responses of a witness (C2SP tlog-witness). 409 has the size that it has cosigned last. */
export type WitnessResponse =
  | { status: 200; line: string }
  | { status: 400 | 403 | 404 | 422; message: string }
  | { status: 409; size: number };

interface Request extends AddCheckpoint {
  checkpoint: Checkpoint;
  text: string;
}

function readRequest(body: string, logs: readonly Verifier[]): Request | Exclude<WitnessResponse, { status: 200 }> {
  let parsed: AddCheckpoint;
  let text: string;
  try {
    parsed = parseAddCheckpoint(body);
    ({ text } = splitNote(parsed.note));
  } catch (error) {
    if (error instanceof NoteError) return { status: 400, message: error.message };
    throw error;
  }
  const origin = text.split('\n', 1)[0] ?? '';
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return { status: 404, message: `Not a witness of ${origin.slice(0, 200)}` };
  for (const key of keys) {
    try {
      return { ...parsed, text, checkpoint: openCheckpoint(parsed.note, key) };
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
    }
  }
  return { status: 403, message: 'No known key of this log has signed the checkpoint' };
}

/** The last checkpoint of a log that was cosigned here, locked until the transaction ends. */
async function lockLog(trx: Db, origin: string): Promise<Pick<Checkpoint, 'size' | 'root'>> {
  await trx
    .insertInto('witnessedLogs')
    .values({ origin, size: 0, root: Buffer.from(emptyRoot()) })
    .onConflict((conflict) => conflict.column('origin').doNothing())
    .execute();
  return trx
    .selectFrom('witnessedLogs')
    .select(['size', 'root'])
    .where('origin', '=', origin)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Cosigns a checkpoint that begins with the one cosigned before, and stores it first: no later signature of any server
 * of this site, after any crash, can contradict it.
 */
export async function addCheckpoint(
  { db, witness, logs }: { db: Db; witness: Signer; logs: readonly Verifier[] },
  body: string,
): Promise<WitnessResponse> {
  const request = readRequest(body, logs);
  if ('status' in request) return request;
  const { oldSize, proof, checkpoint, text } = request;
  const { origin, size, root } = checkpoint;
  if (oldSize > size) return { status: 400, message: 'The old size is larger than the checkpoint' };
  return db.transaction().execute(async (trx): Promise<WitnessResponse> => {
    await sql`SET LOCAL synchronous_commit = on`.execute(trx);
    const known = await lockLog(trx, origin);
    if (known.size !== oldSize) return { status: 409, size: known.size };
    if (size === oldSize && !isSameHash(known.root, root)) return { status: 409, size: known.size };
    const result = verifyConsistency(known, checkpoint, proof);
    if (!result.holds)
      return { status: 422, message: `The checkpoint does not begin with the last one: ${result.reason}` };
    await trx
      .updateTable('witnessedLogs')
      .set({ size, root: Buffer.from(root), updatedAt: sql<Date>`now()` })
      .where('origin', '=', origin)
      .execute();
    return { status: 200, line: cosign(text, witness, Math.floor(Date.now() / 1000)) };
  });
}
