import { type Checkpoint, openCheckpoint } from '../log/checkpoint.ts';
import { isDated, openCosignatures } from '../log/cosignature.ts';
import { isSameHash } from '../log/hashes.ts';
import { NoteError, parseVerifier, UnknownKeyError, type Verifier } from '../log/note.ts';
import { readBatches } from '../entries/batches.ts';
import { RecordError } from '../entries/entries.ts';
import { parseSecret } from '../entries/secrets.ts';
import { anchorAddress } from './anchor.ts';
import { findPayouts, type Payouts } from './own-balance.ts';
import { findOwnVotes, type OwnProgress, type OwnVote, type OwnVotesResult } from './own-votes.ts';
import { readRecord, type RecordReader } from './record-reader.ts';
import { type FileReader, remoteFiles } from './remote-files.ts';

export interface OwnRecordTask {
  baseUrl: string;
  verifierKey: string;
  secret: string;
  votes: OwnVote[];
  /** Votes since then are in no batch yet. */
  untilMs: number;
  nowMs: number;
  seenNote: string | null;
  witnesses: readonly string[];
}

export interface AnchorCandidate {
  size: number;
  day: string;
  address: string;
}

export interface OwnRecordResult extends OwnVotesResult {
  note: string;
  size: number;
  day: string;
  payouts: Payouts;
  anchors: AnchorCandidate[];
  /** Null if the record names none, undefined if it has no entry about it. */
  anchorSender: string | null | undefined;
  cosigned: string[];
}

const MAX_NOTE_BYTES = 64 * 1024;
/** Days that an anchor may be late: its node may have been down. */
const MAX_ANCHORS = 7;

/** @throws RecordError if the record was rewritten since this browser saw it */
async function expectNoRewrite(record: RecordReader, seenNote: string, key: Verifier): Promise<void> {
  let seen: Checkpoint;
  try {
    seen = openCheckpoint(seenNote, key);
  } catch {
    throw new RecordError('The record is signed with another key than the one that this browser saw before');
  }
  if (seen.size === 0) return;
  if (seen.size > record.size) throw new RecordError('The record is shorter than the one that this browser saw before');
  const root = await record.proveOlder(seen.size);
  if (!isSameHash(root, seen.root)) throw new RecordError('The record was rewritten since this browser last saw it');
}

async function newestStates(record: RecordReader): Promise<AnchorCandidate[]> {
  const states: AnchorCandidate[] = [];
  for await (const { entries, entry } of readBatches(record.size, record.entry)) {
    const address = anchorAddress(await record.proveOlder(entries.end));
    states.push({ size: entries.end, day: entry.day, address });
    if (states.length === MAX_ANCHORS) break;
  }
  return states;
}

function orRecordError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof NoteError ? new RecordError(error.message) : error;
  }
}

/** A witness with a key of another kind counts as absent. */
function knownWitness(key: string): Verifier[] {
  try {
    return [parseVerifier(key, 'cosignature')];
  } catch (error) {
    if (error instanceof UnknownKeyError) return [];
    throw error;
  }
}

const cosignersOf = (note: string, keys: readonly string[], nowMs: number): string[] =>
  orRecordError(() => {
    const found = openCosignatures(note, keys.flatMap(knownWitness));
    return [...new Set(found.filter((one) => isDated(one, nowMs)).map(({ witness }) => witness.name))];
  });

/** Checks a user's data against the record, and trusts nothing of the server except the key (R42). */
export async function checkOwnRecord(
  task: OwnRecordTask,
  onProgress: (progress: OwnProgress) => void = () => undefined,
  files: FileReader = remoteFiles({ baseUrl: task.baseUrl }),
): Promise<OwnRecordResult> {
  const secret = parseSecret(task.secret);
  if (!secret) throw new RecordError('Your secret is malformed');
  const key = orRecordError(() => parseVerifier(task.verifierKey));
  const note = new TextDecoder().decode(await files('checkpoint', MAX_NOTE_BYTES));
  const record = readRecord(
    files,
    orRecordError(() => openCheckpoint(note, key)),
  );
  if (task.seenNote !== null) await expectNoRewrite(record, task.seenNote, key);
  const { votes, untilMs, nowMs } = task;
  const found = await findOwnVotes({
    record,
    note,
    secret,
    votes,
    untilMs,
    nowMs,
    onProgress,
  });
  onProgress({ step: 'checkpoints', done: 0, all: 0 });
  const anchors = await newestStates(record);
  onProgress({ step: 'payouts', done: 0, all: 0 });
  const payouts = await findPayouts(record);
  return {
    note,
    size: record.size,
    day: anchors[0]?.day ?? '',
    ...found,
    payouts,
    anchors,
    anchorSender: (await record.newest('anchor'))?.sender,
    cosigned: cosignersOf(note, task.witnesses, nowMs),
  };
}
