import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { type AddCheckpoint, parseAddCheckpoint } from '#record/log/add-checkpoint.ts';
import { type Checkpoint, readCheckpoint } from '#record/log/checkpoint.ts';
import { cosign } from '#record/log/cosignature.ts';
import { emptyRoot, isSameHash } from '#record/log/hashes.ts';
import { NoteError, type Signature, type Signer, splitNote, type Verifier } from '#record/log/note.ts';
import { verifyConsistency } from '#record/log/proofs.ts';
import { lastRestore } from '#server/kit/backups.ts';

/** Responses of a witness (C2SP tlog-witness). 409 has the size that it has cosigned last. */
export type WitnessResponse =
  | { status: 200; line: string }
  | { status: 400 | 403 | 404 | 422 | 503; message: string }
  | { status: 409; size: number };

interface WitnessOptions {
  db: Db;
  witness: Signer;
  logs: readonly Verifier[];
  now?: () => number;
}

type Newest = Pick<Checkpoint, 'size' | 'root'>;

interface Known extends Newest {
  /** The database was restored, and may lack a checkpoint that was cosigned since its backup. */
  isWaiting: boolean;
}

interface Request extends AddCheckpoint {
  checkpoint: Checkpoint;
  text: string;
}

/** Requests of a log are compared with a state of this age before they cost a transaction. */
const KNOWN_MS = 1_000;
/** A repeated request gets the same cosignature for this long. */
const LINE_MS = 60_000;
const ED25519_BYTES = 64;

const keyObjectOf = ({ publicKey }: Verifier): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  });

/** Ten times as fast as the code that pages use: strangers send as many false signatures as they like. */
function isSigned(text: string, signatures: readonly Signature[], keys: ReadonlyMap<Verifier, KeyObject>): boolean {
  let isTrue = false;
  for (const [{ name, keyId }, key] of keys) {
    for (const signature of signatures) {
      if (signature.name !== name || signature.keyId !== keyId) continue;
      const { bytes } = signature;
      if (bytes.length !== ED25519_BYTES || !verify(null, Buffer.from(text), key, bytes)) return false;
      isTrue = true;
    }
  }
  return isTrue;
}

type Rejection = Extract<WitnessResponse, { message: string }>;

function readRequest(body: string, logs: ReadonlyMap<string, ReadonlyMap<Verifier, KeyObject>>): Request | Rejection {
  try {
    const parsed = parseAddCheckpoint(body);
    const { text, signatures } = splitNote(parsed.note);
    const origin = text.split('\n', 1)[0] ?? '';
    const keys = logs.get(origin);
    if (!keys) return { status: 404, message: `Not a witness of ${origin.slice(0, 200)}` };
    if (!isSigned(text, signatures, keys))
      return { status: 403, message: 'No known key of this log has signed the checkpoint, or one of them falsely' };
    return { ...parsed, text, checkpoint: readCheckpoint(text, { name: origin }) };
  } catch (error) {
    if (error instanceof NoteError) return { status: 400, message: error.message };
    throw error;
  }
}

/** The last checkpoint of a log that was cosigned here, locked until the transaction ends. */
async function lockLog(trx: Db, origin: string): Promise<Newest> {
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

async function readKnown(db: Db, origin: string): Promise<Known> {
  const row = db.selectFrom('witnessedLogs').select(['size', 'root']).where('origin', '=', origin);
  const [newest, restore] = [await row.executeTakeFirst(), await lastRestore(db)];
  return { ...(newest ?? { size: 0, root: emptyRoot() }), isWaiting: restore?.witnessWaits ?? false };
}

/** The reason against a checkpoint by the newest one that was cosigned; null for one that follows it. */
function objectionTo({ oldSize, proof, checkpoint }: Request, known: Newest): WitnessResponse | null {
  const { size, root } = checkpoint;
  const unprocessable = (message: string): WitnessResponse => ({ status: 422, message });
  if (oldSize > size) return { status: 400, message: 'The old size is larger than the checkpoint' };
  if (known.size !== oldSize) return { status: 409, size: known.size };
  if (size === oldSize && !isSameHash(known.root, root))
    return unprocessable('Another checkpoint of the same size was cosigned before');
  const result = verifyConsistency(known, checkpoint, proof);
  return result.holds ? null : unprocessable(`The checkpoint does not begin with the last one: ${result.reason}`);
}

export interface Witness {
  addCheckpoint: (body: string) => Promise<WitnessResponse>;
}

/**
 * Cosigns a checkpoint that begins with the one cosigned before, and stores it first: no later signature of any server
 * of this site, after any crash, can contradict it. Only a checkpoint that its log has signed and that follows the
 * newest one costs a transaction, so that other clients cannot use up what a log is allowed.
 */
export function createWitness({ db, witness, logs, now = Date.now }: WitnessOptions): Witness {
  const keys = new Map<string, Map<Verifier, KeyObject>>();
  for (const log of logs) keys.set(log.name, (keys.get(log.name) ?? new Map()).set(log, keyObjectOf(log)));
  const states = new Map<string, { atMs: number; known: Promise<Known> }>();
  const lines = new Map<string, { atMs: number; text: string; line: string }>();

  function knownOf(origin: string): Promise<Known> {
    const cached = states.get(origin);
    if (cached && now() - cached.atMs < KNOWN_MS) return cached.known;
    const known = readKnown(db, origin);
    states.set(origin, { atMs: now(), known });
    known.catch(() => states.delete(origin));
    return known;
  }

  const store = (request: Request): Promise<WitnessResponse> =>
    db.transaction().execute(async (trx): Promise<WitnessResponse> => {
      await sql`SET LOCAL synchronous_commit = on`.execute(trx);
      const { origin, size, root } = request.checkpoint;
      const objection = objectionTo(request, await lockLog(trx, origin));
      if (objection) return objection;
      await trx
        .updateTable('witnessedLogs')
        .set({ size, root: Buffer.from(root), updatedAt: sql<Date>`now()` })
        .where('origin', '=', origin)
        .execute();
      return { status: 200, line: cosign(request.text, witness, Math.floor(now() / 1000)) };
    });

  return {
    async addCheckpoint(body) {
      const request = readRequest(body, keys);
      if ('status' in request) return request;
      const { origin } = request.checkpoint;
      const known = await knownOf(origin);
      if (known.isWaiting)
        return { status: 503, message: 'This witness was restored from a backup, and waits for its operator' };
      const objection = objectionTo(request, known);
      if (objection) return objection;
      const last = lines.get(origin);
      if (last?.text === request.text && now() - last.atMs < LINE_MS) return { status: 200, line: last.line };
      const response = await store(request);
      states.delete(origin);
      if (response.status === 200) lines.set(origin, { atMs: now(), text: request.text, line: response.line });
      return response;
    },
  };
}
