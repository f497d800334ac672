import { formatProofFile } from '../log/proof-file.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { type Batch, type Found, findEntries, readBatches } from '../entries/batches.ts';
import type { OpinionEntry, VoteKey } from '../entries/entries.ts';
import { pseudonymOf } from '../entries/secrets.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { AHEAD, inOrder } from './in-order.ts';
import type { RecordReader } from './record-reader.ts';

export interface OwnVote {
  projectId: number;
  period: number;
  bullish: boolean;
  createdAtMs: number;
  /** When it was changed or confirmed last; left out for a vote that never was. */
  saidAtMs?: number;
}

export type VoteFinding =
  | {
      kind: 'recorded';
      day: string;
      index: number;
      state: VoteState;
      /** To be stored: C2SP tlog-proof, with the entry in its `extra` line. */
      proofFile: string;
    }
  | { kind: 'waiting' }
  /** Newer than the record, which should have been continued by now. */
  | { kind: 'late' }
  /** Older than the end of the record, and not in it: the vote, or its newest change. */
  | { kind: 'missing' }
  | { kind: 'turned'; day: string; index: number }
  | { kind: 'twice'; day: string }
  /** A different vote of the voter on the project counts than the newest recorded one. */
  | { kind: 'misplaced'; day: string; index: number };

export interface UnknownVote {
  projectId: number;
  day: string;
  bullish: boolean;
  index: number;
}

export interface OwnVotesResult {
  votes: VoteFinding[];
  unknown: UnknownVote[];
  /** The first day whose votes were all tried; null for the whole record. */
  searchedFrom: string | null;
}

export interface OwnVotesOptions {
  record: RecordReader;
  note: string;
  secret: Uint8Array;
  votes: readonly OwnVote[];
  untilMs: number;
  nowMs: number;
  onProgress?: (done: number) => void;
}

/** A batch is published once a day. An older vote should be in one, whatever the server claims. */
const LATE_MS = 50 * 3_600_000;
/** Times are rounded in transit: a vote of the last moment may be in the record or not. */
const BOUNDARY_MS = 1_000;
/** Bundles that are searched for votes on other projects: about 8 MB. `npm run verify -- --secret` reads them all. */
const SEARCHED_BUNDLES = 1_000;

const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

/** A batch has votes of its day and of the days since the batch before it. */
function mayHold(batches: readonly Batch[], at: number, day: string): boolean {
  const before = batches[at + 1]?.entry.day ?? '';
  return before <= day && day <= (batches[at]?.entry.day ?? '');
}

interface Place {
  at: number;
  found: Array<Found<OpinionEntry>>;
}

/** Finds the entry of a vote: first in its expected batch, then everywhere, before it is reported missing. */
async function placeOf(
  key: VoteKey,
  day: string,
  batches: readonly Batch[],
  record: RecordReader,
): Promise<Place | null> {
  const isLikely = batches.map((_, at) => mayHold(batches, at, day));
  for (const likely of [true, false]) {
    for (const [at, batch] of batches.entries()) {
      if (isLikely[at] !== likely) continue;
      const found = await findEntries('votes', batch.votes, key, record.entry);
      if (found[0]?.entry.kind === 'vote') return { at, found };
    }
  }
  return null;
}

async function newestOf(
  key: VoteKey,
  { at, found }: Place,
  batches: readonly Batch[],
  record: RecordReader,
): Promise<{ opinion: OpinionEntry; state: VoteState } | null> {
  let opinion = found.at(-1)?.entry;
  let state = opinion?.state;
  for (const batch of batches.slice(0, at).toReversed()) {
    const changed = (await findEntries('votes', batch.votes, key, record.entry)).at(-1)?.entry;
    if (changed) [opinion, state] = [changed, changed.state];
    state = (await findEntries('states', batch.states, key, record.entry)).at(-1)?.entry.state ?? state;
  }
  return opinion && state ? { opinion, state } : null;
}

function absenceOf({ createdAtMs }: OwnVote, untilMs: number, nowMs: number): VoteFinding {
  if (createdAtMs < untilMs) return { kind: 'missing' };
  return { kind: nowMs - createdAtMs < LATE_MS ? 'waiting' : 'late' };
}

function falseOpinion(
  { bullish, createdAtMs, saidAtMs = createdAtMs }: OwnVote,
  newest: OpinionEntry | undefined,
  untilMs: number,
): 'turned' | 'missing' | null {
  // The record has an opinion from before the change.
  if (newest && saidAtMs > createdAtMs && saidAtMs >= untilMs - BOUNDARY_MS) return null;
  if (newest?.bullish !== bullish) return 'turned';
  return saidAtMs > createdAtMs && newest.day !== dayOf(saidAtMs) ? 'missing' : null;
}

/** A recorded vote is replaced exactly where a newer vote of the user on the project is recorded. */
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

type Pseudonyms = (projectId: number) => string;

function pseudonymsOf(secret: Uint8Array): Pseudonyms {
  const known = new Map<number, string>();
  return (projectId) => {
    const pseudonym = known.get(projectId) ?? pseudonymOf(secret, projectId);
    known.set(projectId, pseudonym);
    return pseudonym;
  };
}

/** Tries every vote of the newest batches against the voter's pseudonyms, as far back as the bundles allow. */
async function findUnknown(
  { record, votes }: OwnVotesOptions,
  batches: readonly Batch[],
  pseudonyms: Pseudonyms,
): Promise<Pick<OwnVotesResult, 'unknown' | 'searchedFrom'>> {
  const own = new Set(votes.map(({ projectId, period }) => `${projectId} ${period}`));
  const unknown: UnknownVote[] = [];
  let left = SEARCHED_BUNDLES;
  for (const [at, { votes: group }] of batches.entries()) {
    left -= Math.ceil((group.end - group.start) / TILE_WIDTH);
    if (left < 0) return { unknown, searchedFrom: batches[at - 1]?.entry.day ?? dayOf(Date.now()) };
    for (let index = group.start; index < group.end; index += 1) {
      // A bundle that was read ahead is not read again.
      if (index % TILE_WIDTH === 0) {
        for (let ahead = 1; ahead < AHEAD; ahead += 1) {
          const next = index + ahead * TILE_WIDTH;
          if (next < group.end) record.entry(next).catch(() => undefined);
        }
      }
      const entry = await record.entry(index);
      if (entry.kind !== 'vote' && entry.kind !== 'change') continue;
      const { projectId, period, day, bullish, pseudonym } = entry;
      if (pseudonym !== pseudonyms(projectId) || own.has(`${projectId} ${period}`)) continue;
      unknown.push({ projectId, day, bullish, index });
    }
  }
  return { unknown, searchedFrom: null };
}

/** @throws RecordError */
export async function findOwnVotes(options: OwnVotesOptions): Promise<OwnVotesResult> {
  const { record, note, secret, votes, untilMs, nowMs, onProgress } = options;
  const batches: Batch[] = [];
  for await (const batch of readBatches(record.size, record.entry)) batches.push(batch);
  const pseudonyms = pseudonymsOf(secret);

  async function find(vote: OwnVote): Promise<VoteFinding> {
    const key = { ...vote, pseudonym: pseudonyms(vote.projectId) };
    const absence = absenceOf(vote, untilMs, nowMs);
    const isWithin = vote.createdAtMs < untilMs + BOUNDARY_MS;
    const place = isWithin ? await placeOf(key, dayOf(vote.createdAtMs), batches, record) : null;
    const [first] = place?.found ?? [];
    if (!place || !first) return absence;
    const { index, entry } = first;
    const newest = await newestOf(key, place, batches, record);
    const wrong = falseOpinion(vote, newest?.opinion, untilMs);
    if (!newest || wrong === 'turned') return { kind: 'turned', day: entry.day, index };
    if (wrong === 'missing') return { kind: 'missing' };
    if (place.found.filter((one) => one.entry.kind === 'vote').length > 1) return { kind: 'twice', day: entry.day };
    const { bytes: extra, proof } = await record.prove(index);
    const proofFile = formatProofFile({ index, proof, checkpoint: note, extra });
    return { kind: 'recorded', day: entry.day, index, state: newest.state, proofFile };
  }

  const findings: VoteFinding[] = [];
  for await (const finding of inOrder(votes.length, (at) => find(votes[at] as OwnVote))) {
    findings.push(finding);
    onProgress?.(findings.length);
  }
  return {
    votes: findings.map((finding, at) => misplacedOr(finding, at, votes, findings)),
    ...(await findUnknown(options, batches, pseudonyms)),
  };
}
