import { formatProofFile } from '../log/proof-file.ts';
import type { Range } from '../log/tree.ts';
import { type Batch, compareKeys, findEntry, readBatches } from '../record/batches.ts';
import { type StateEntry, type VoteEntry, type VoteKey } from '../record/entries.ts';
import { pseudonymOf } from '../record/secrets.ts';
import type { VoteState } from '../states/votes.ts';
import type { Proven, RecordReader } from './record-reader.ts';

/** A vote as its voter remembers it. */
export interface OwnVote {
  projectId: number;
  period: number;
  bullish: boolean;
  createdAtMs: number;
}

/** What the record says of a vote. */
export type VoteFinding =
  | {
      kind: 'recorded';
      day: string;
      index: number;
      /** The newest one that the record names. */
      state: VoteState;
      /** To be kept: C2SP tlog-proof, with the entry in its `extra` line. */
      proofFile: string;
    }
  /** Newer than the record. */
  | { kind: 'waiting' }
  /** Newer than the record, which should have been continued long ago. */
  | { kind: 'late' }
  /** Older than the end of the record, and not in it. */
  | { kind: 'missing' }
  /** In the record with the other direction. */
  | { kind: 'turned'; day: string; index: number }
  /** More than once in its batch. */
  | { kind: 'twice'; day: string }
  /** Another one of the voter's votes on the project counts than the newest recorded one. */
  | { kind: 'misplaced'; day: string; index: number };

export interface OwnVotesOptions {
  record: RecordReader;
  /** The signed note of the record's checkpoint. */
  note: string;
  secret: Uint8Array;
  votes: readonly OwnVote[];
  /** Votes since then are in no batch yet. */
  untilMs: number;
  nowMs: number;
  onProgress?: (done: number) => void;
}

/** A batch is published once a day; a vote that is older than this should be in one, whatever the server says. */
const LATE_MS = 50 * 3_600_000;
/** Times are rounded on their way here: a vote of the last moment may be in the record or not. */
const BOUNDARY_MS = 1_000;
/** Votes that are looked for at the same time. */
const AT_ONCE = 16;

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

async function batchesOf(record: RecordReader): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of readBatches(record.size, record.entry)) batches.push(batch);
  return batches;
}

/** A batch has votes of its own day and of those since the batch before it. */
function mayHold(batches: readonly Batch[], at: number, day: string): boolean {
  const before = batches[at + 1]?.entry.day ?? '';
  return before <= day && day <= (batches[at]?.entry.day ?? '');
}

interface Place {
  index: number;
  batch: Batch;
}

/** The entry of a vote; first where it should be, then everywhere, before it is said to be missing. */
async function placeOf(
  key: VoteKey,
  day: string,
  batches: readonly Batch[],
  record: RecordReader,
): Promise<Place | null> {
  const isLikely = batches.map((_, at) => mayHold(batches, at, day));
  for (const likely of [true, false]) {
    for (const [at, batch] of batches.entries()) {
      const found = isLikely[at] === likely ? await findEntry('vote', batch.votes, key, record.entry) : null;
      if (found) return { index: found.index, batch };
    }
  }
  return null;
}

async function isTwice(key: VoteKey, { index, batch }: Place, record: RecordReader): Promise<boolean> {
  const { start, end }: Range = batch.votes;
  const neighbors = [index - 1, index + 1].filter((at) => at >= start && at < end);
  const entries = await Promise.all(neighbors.map(record.entry));
  return entries.some((entry) => entry.kind === 'vote' && compareKeys(entry, key) === 0);
}

/** The state of a recorded vote after all later batches; each change is shown to be in the record as well. */
async function stateOf(
  vote: VoteEntry,
  place: Place,
  batches: readonly Batch[],
  record: RecordReader,
): Promise<VoteState> {
  for (const batch of batches) {
    if (batch.entries.start <= place.index) return vote.state;
    const found = await findEntry('state', batch.states, vote, record.entry);
    if (found) return ((await record.prove(found.index)).entry as StateEntry).state;
  }
  return vote.state;
}

function proofFileOf({ index, bytes, proof }: Proven, note: string): string {
  return formatProofFile({ index, proof, checkpoint: note, extra: bytes });
}

/** What it means that a vote of that time is not in the record. */
function absenceOf({ createdAtMs }: OwnVote, untilMs: number, nowMs: number): VoteFinding {
  if (createdAtMs < untilMs) return { kind: 'missing' };
  return { kind: nowMs - createdAtMs < LATE_MS ? 'waiting' : 'late' };
}

/** A recorded vote is replaced exactly where a newer own vote on the project is recorded. */
function misplacedOr(
  finding: VoteFinding,
  at: number,
  votes: readonly OwnVote[],
  findings: readonly VoteFinding[],
): VoteFinding {
  const own = votes[at];
  if (finding.kind !== 'recorded' || !own) return finding;
  const hasNewer = votes.some(
    ({ projectId, period }, other) =>
      projectId === own.projectId && period > own.period && findings[other]?.kind === 'recorded',
  );
  const { day, index, state } = finding;
  return hasNewer === (state === 'replaced') ? finding : { kind: 'misplaced', day, index };
}

/**
 * Looks each own vote up in the record, by nothing but the voter's own secret, and follows its path to the signed root.
 * @throws RecordError where something does not fit that is not about one vote alone.
 */
export async function findOwnVotes({
  record,
  note,
  secret,
  votes,
  untilMs,
  nowMs,
  onProgress,
}: OwnVotesOptions): Promise<VoteFinding[]> {
  const batches = await batchesOf(record);
  const pseudonyms = new Map<number, string>();
  for (const { projectId } of votes)
    if (!pseudonyms.has(projectId)) pseudonyms.set(projectId, pseudonymOf(secret, projectId));

  async function find(vote: OwnVote): Promise<VoteFinding> {
    const key = { ...vote, pseudonym: pseudonyms.get(vote.projectId) ?? '' };
    const absence = absenceOf(vote, untilMs, nowMs);
    const isWithin = vote.createdAtMs < untilMs + BOUNDARY_MS;
    const place = isWithin ? await placeOf(key, dayOf(vote.createdAtMs), batches, record) : null;
    if (!place) return absence;
    const proven = await record.prove(place.index);
    const entry = proven.entry as VoteEntry;
    const { index } = proven;
    if (entry.bullish !== vote.bullish) return { kind: 'turned', day: entry.day, index };
    if (await isTwice(key, place, record)) return { kind: 'twice', day: entry.day };
    const state = await stateOf(entry, place, batches, record);
    return { kind: 'recorded', day: entry.day, index, state, proofFile: proofFileOf(proven, note) };
  }

  const findings: VoteFinding[] = [];
  let next = 0;
  let done = 0;
  async function findSome(): Promise<void> {
    for (let at = next; at < votes.length; at = next) {
      next += 1;
      const vote = votes[at];
      if (vote) findings[at] = await find(vote);
      done += 1;
      onProgress?.(done);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, findSome));
  return findings.map((finding, at) => misplacedOr(finding, at, votes, findings));
}
