import { type Checkpoint, openCheckpoint } from '../log/checkpoint.ts';
import { openCosignatures } from '../log/cosignature.ts';
import { isSameHash } from '../log/hashes.ts';
import { NoteError, parseVerifier, type Verifier } from '../log/note.ts';
import { readBatches } from '../entries/batches.ts';
import { RecordError } from '../entries/entries.ts';
import { parseSecret } from '../entries/secrets.ts';
import { anchorAddress } from './anchor.ts';
import { type BalanceFinding, type BalanceProof, findOwnBalance, type OwnLedger } from './own-balance.ts';
import { findOwnVotes, type OwnVote, type OwnVotesResult } from './own-votes.ts';
import { readRecord, type RecordReader } from './record-reader.ts';
import { type FileReader, remoteFiles } from './remote-files.ts';

/** Input of a browser's check of its user's data; all of it can be sent to a worker. */
export interface OwnRecordTask {
  /** Address of the log with a slash at the end. */
  baseUrl: string;
  verifierKey: string;
  /** 32 bytes in base64url. */
  secret: string;
  votes: OwnVote[];
  /** Votes since then are in no batch yet. */
  untilMs: number;
  nowMs: number;
  /** The proof of the amount owed to the user; null where it was zero. */
  liability: BalanceProof | null;
  /** Amount owed to the user by the user's own list, and when the newest proof was made. */
  ledger: OwnLedger;
  /** The newest checkpoint that this browser has checked before. */
  seenNote: string | null;
  /** Keys of witnesses whose cosignatures are checked. */
  witnesses: readonly string[];
}

/** A state of the record that may be anchored. */
export interface AnchorCandidate {
  size: number;
  day: string;
  address: string;
}

export interface OwnRecordResult extends OwnVotesResult {
  /** The signed checkpoint to which everything was followed. */
  note: string;
  size: number;
  /** The day of its newest batch. */
  day: string;
  balance: BalanceFinding | null;
  /** The newest states of the record, newest first. */
  anchors: AnchorCandidate[];
  /** The wallet that the record names for its anchors: null where it names none, undefined where it is silent. */
  anchorSender: string | null | undefined;
  /** Witnesses of the task that have cosigned the checkpoint, by name. */
  cosigned: string[];
}

const MAX_NOTE_BYTES = 64 * 1024;
/** Days that an anchor may be late: its node may have been down. */
const MAX_ANCHORS = 7;

/**
 * The record still begins with the part that this browser saw last time. @throws RecordError where it was rewritten.
 */
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

/** The wallet that anchors the record, by its newest entry about it. */
async function anchorSenderOf(record: RecordReader): Promise<string | null | undefined> {
  for await (const { others } of readBatches(record.size, record.entry)) {
    for (let index = others.start; index < others.end; index += 1) {
      const entry = await record.entry(index);
      if (entry.kind === 'anchor') return entry.sender;
    }
  }
  return undefined;
}

/** Witnesses with a cosignature on the note. @throws RecordError for a false one */
function cosignersOf(note: string, keys: readonly string[]): string[] {
  try {
    const known = keys.map((key) => parseVerifier(key, 'cosignature'));
    return [...new Set(openCosignatures(note, known).map(({ witness }) => witness.name))];
  } catch (error) {
    throw error instanceof NoteError ? new RecordError(error.message) : error;
  }
}

/** The record up to the checkpoint that its server now shows. @throws RecordError where the key has not signed it. */
export async function openRecord(files: FileReader, key: Verifier): Promise<{ record: RecordReader; note: string }> {
  const note = new TextDecoder().decode(await files('checkpoint', MAX_NOTE_BYTES));
  try {
    return { record: readRecord(files, openCheckpoint(note, key)), note };
  } catch (error) {
    throw error instanceof NoteError ? new RecordError(error.message) : error;
  }
}

function parsed(task: OwnRecordTask): { key: Verifier; secret: Uint8Array } {
  const secret = parseSecret(task.secret);
  if (!secret) throw new RecordError('Your secret is malformed');
  try {
    return { key: parseVerifier(task.verifierKey), secret };
  } catch (error) {
    throw error instanceof NoteError ? new RecordError(error.message) : error;
  }
}

/**
 * Checks all of a user's data against the record, and trusts nothing of the server except the key (R42). The caller
 * then asks a Sui node whether one of the `anchors` exists.
 * @throws RecordError, RecordUnavailable
 */
export async function checkOwnRecord(
  task: OwnRecordTask,
  onProgress?: (done: number) => void,
  files: FileReader = remoteFiles({ baseUrl: task.baseUrl }),
): Promise<OwnRecordResult> {
  const { key, secret } = parsed(task);
  const { record, note } = await openRecord(files, key);
  if (task.seenNote !== null) await expectNoRewrite(record, task.seenNote, key);
  const { votes, untilMs, nowMs, liability, ledger } = task;
  const found = await findOwnVotes({
    record,
    note,
    secret,
    votes,
    untilMs,
    nowMs,
    ...(onProgress ? { onProgress } : {}),
  });
  const anchors = await newestStates(record);
  return {
    note,
    size: record.size,
    day: anchors[0]?.day ?? '',
    ...found,
    balance: await findOwnBalance(record, secret, { proof: liability, ledger }),
    anchors,
    anchorSender: await anchorSenderOf(record),
    cosigned: cosignersOf(note, task.witnesses),
  };
}
