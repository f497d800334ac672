import { formatProofFile } from '../log/proof-file.ts';
import { TILE_WIDTH } from '../log/tiles.ts';
import { type Batch, type Found, findOpinions, findState, readBatches } from '../entries/batches.ts';
import type { OpinionEntry, VoteKey } from '../entries/entries.ts';
import { pseudonymOf } from '../entries/secrets.ts';
import type { VoteState } from '#shared/states/votes.ts';
import { AHEAD, inOrder } from './in-order.ts';
import type { RecordReader } from './record-reader.ts';

export interface OwnOpinion {
  bullish: boolean;
  atMs: number;
  /** The identity of the project that it is about. */
  identity: number;
}

export interface OwnVote {
  projectId: number;
  period: number;
  /** The vote, then each change and confirmation, oldest first. */
  opinions: readonly OwnOpinion[];
}

export type VoteFinding =
  | {
      kind: 'recorded';
      day: string;
      index: number;
      state: VoteState;
      /** Proof to store: C2SP tlog-proof, with the entry in its `extra` line. */
      proofFile: string;
    }
  | { kind: 'waiting' }
  /** Newer than the record, which should have been continued by now. */
  | { kind: 'late' }
  /** The opinion of this day is older than the end of the record, but not in it. */
  | { kind: 'missing'; day: string }
  /** The record has the other direction for this day. */
  | { kind: 'turned'; day: string; index: number; bullish: boolean }
  /** The record has an opinion of this day that the voter never gave. */
  | { kind: 'invented'; day: string; index: number; bullish: boolean }
  /** The record dates the opinion of the day `saidOn` to this day. */
  | { kind: 'redated'; day: string; index: number; saidOn: string }
  | { kind: 'misattributed'; day: string; index: number; identity: number; ownIdentity: number }
  | { kind: 'twice'; day: string }
  /** A vote other than the newest recorded one of the voter on the project counts. */
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

/** Counts of what is being read; `all` is 0 if it is not known. */
export interface OwnProgress {
  step: 'votes' | 'search' | 'checkpoints' | 'payouts';
  done: number;
  all: number;
}

export interface OwnVotesOptions {
  record: RecordReader;
  note: string;
  secret: Uint8Array;
  votes: readonly OwnVote[];
  untilMs: number;
  nowMs: number;
  onProgress?: (progress: OwnProgress) => void;
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
      const found = await findOpinions(batch.votes, key, record.entry);
      if (found[0]?.entry.kind === 'vote') return { at, found };
    }
  }
  return null;
}

interface Traced {
  opinions: Array<Found<OpinionEntry>>;
  state: VoteState;
}

/** All opinions of a key, oldest first, and its newest state. */
async function trace(
  key: VoteKey,
  { at, found }: Place,
  batches: readonly Batch[],
  record: RecordReader,
): Promise<Traced | null> {
  const opinions = [...found];
  let state = found.at(-1)?.entry.state;
  for (const batch of batches.slice(0, at).toReversed()) {
    const later = await findOpinions(batch.votes, key, record.entry);
    opinions.push(...later);
    state = (await findState(batch.states, key, record.entry)) ?? later.at(-1)?.entry.state ?? state;
  }
  return state ? { opinions, state } : null;
}

const newerThan = (atMs: number, nowMs: number): VoteFinding => ({ kind: nowMs - atMs < LATE_MS ? 'waiting' : 'late' });

function differingPart({ index, entry }: Found<OpinionEntry>, said: OwnOpinion): VoteFinding | null {
  const { day, bullish, identity } = entry;
  if (bullish !== said.bullish) return { kind: 'turned', day, index, bullish };
  if (identity === said.identity) return null;
  return { kind: 'misattributed', day, index, identity, ownIdentity: said.identity };
}

/** Both lists are in order of time. Only opinions since the end of the record may be missing in it. */
function differenceOf(
  own: readonly OwnOpinion[],
  recorded: ReadonlyArray<Found<OpinionEntry>>,
  { untilMs, nowMs }: Pick<OwnVotesOptions, 'untilMs' | 'nowMs'>,
): VoteFinding | null {
  const [missing, invented]: [OwnOpinion[], Array<Found<OpinionEntry>>] = [[], []];
  let next = 0;
  for (const said of own) {
    const day = dayOf(said.atMs);
    for (let one = recorded[next]; one && one.entry.day < day; one = recorded[next]) {
      invented.push(one);
      next += 1;
    }
    const found = recorded[next];
    if (found?.entry.day !== day) {
      if (said.atMs < untilMs - BOUNDARY_MS || nowMs - said.atMs >= LATE_MS) missing.push(said);
      continue;
    }
    next += 1;
    const difference = differingPart(found, said);
    if (difference) return difference;
  }
  invented.push(...recorded.slice(next));
  const [[absent], [extra]] = [missing, invented];
  if (extra) {
    const { index, entry } = extra;
    const { day, bullish } = entry;
    return absent
      ? { kind: 'redated', day, index, saidOn: dayOf(absent.atMs) }
      : { kind: 'invented', day, index, bullish };
  }
  if (!absent) return null;
  return absent.atMs < untilMs ? { kind: 'missing', day: dayOf(absent.atMs) } : { kind: 'late' };
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

function newestWithin(batches: readonly Batch[], bundles: number): readonly Batch[] {
  let left = bundles;
  const end = batches.findIndex(({ votes }) => {
    left -= Math.ceil((votes.end - votes.start) / TILE_WIDTH);
    return left < 0;
  });
  return end < 0 ? batches : batches.slice(0, end);
}

/**
 * Tries every vote of the newest batches against the voter's pseudonyms, as far back as the bundles allow. `known` are
 * the entries that were compared with the voter's list.
 */
async function findUnknown(
  { record, onProgress }: OwnVotesOptions,
  { batches, pseudonyms, known }: { batches: readonly Batch[]; pseudonyms: Pseudonyms; known: ReadonlySet<number> },
): Promise<Pick<OwnVotesResult, 'unknown' | 'searchedFrom'>> {
  const searched = newestWithin(batches, SEARCHED_BUNDLES);
  const all = searched.reduce((sum, { votes }) => sum + votes.end - votes.start, 0);
  const unknown: UnknownVote[] = [];
  let done = 0;
  for (const { votes: group } of searched) {
    for (let index = group.start; index < group.end; index += 1) {
      // A bundle that was read ahead is not read again.
      if (index === group.start || index % TILE_WIDTH === 0) {
        onProgress?.({ step: 'search', done, all });
        for (let ahead = 1; ahead < AHEAD; ahead += 1) {
          const next = index + ahead * TILE_WIDTH;
          if (next < group.end) record.entry(next).catch(() => undefined);
        }
      }
      done += 1;
      const entry = await record.entry(index);
      if (entry.kind !== 'vote' && entry.kind !== 'change') continue;
      const { projectId, day, bullish, pseudonym } = entry;
      if (pseudonym !== pseudonyms(projectId) || known.has(index)) continue;
      unknown.push({ projectId, day, bullish, index });
    }
    onProgress?.({ step: 'search', done, all });
  }
  const isWhole = searched.length === batches.length;
  return { unknown, searchedFrom: isWhole ? null : (searched.at(-1)?.entry.day ?? dayOf(Date.now())) };
}

/** @throws RecordError */
export async function findOwnVotes(options: OwnVotesOptions): Promise<OwnVotesResult> {
  const { record, note, secret, votes, untilMs, nowMs, onProgress } = options;
  const batches: Batch[] = [];
  for await (const batch of readBatches(record.size, record.entry)) batches.push(batch);
  const pseudonyms = pseudonymsOf(secret);
  const known = new Set<number>();

  async function find({ opinions, ...vote }: OwnVote): Promise<VoteFinding> {
    const key = { ...vote, pseudonym: pseudonyms(vote.projectId) };
    const castMs = opinions[0]?.atMs ?? nowMs;
    const isWithin = castMs < untilMs + BOUNDARY_MS;
    const place = isWithin ? await placeOf(key, dayOf(castMs), batches, record) : null;
    const traced = place && (await trace(key, place, batches, record));
    const [first] = traced?.opinions ?? [];
    if (!traced || !first) {
      return castMs < untilMs ? { kind: 'missing', day: dayOf(castMs) } : newerThan(castMs, nowMs);
    }
    for (const { index } of traced.opinions) known.add(index);
    const { index, entry } = first;
    if (traced.opinions.filter((one) => one.entry.kind === 'vote').length > 1) return { kind: 'twice', day: entry.day };
    const difference = differenceOf(opinions, traced.opinions, { untilMs, nowMs });
    if (difference) return difference;
    const { bytes: extra, proof } = await record.prove(index);
    const proofFile = formatProofFile({ index, proof, checkpoint: note, extra });
    return { kind: 'recorded', day: entry.day, index, state: traced.state, proofFile };
  }

  const findings: VoteFinding[] = [];
  for await (const finding of inOrder(votes.length, (at) => find(votes[at] as OwnVote))) {
    findings.push(finding);
    onProgress?.({ step: 'votes', done: findings.length, all: votes.length });
  }
  return {
    votes: findings.map((finding, at) => misplacedOr(finding, at, votes, findings)),
    ...(await findUnknown(options, { batches, pseudonyms, known })),
  };
}
