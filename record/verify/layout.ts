import { createHash } from 'node:crypto';
import type { Range } from '../log/tree.ts';
import { type Batch, batchAt, compareOpinions, compareStates } from '../entries/batches.ts';
import {
  type EntryOf,
  type OpinionEntry,
  type OtherEntry,
  REASON_GROUPS,
  RECORD_FORMAT,
  RecordError,
  type RecordEntry,
  STATE_PSEUDONYMS,
} from '../entries/entries.ts';
import { daysBetween, dayStartMs } from '../entries/days.ts';
import { ListingFactsReader } from './listing-facts.ts';
import { VOTES_FILE_HEADER, voteLine } from '../entries/votes-file.ts';
import type { Differences } from './report.ts';
import { Sequences } from './sequences.ts';

const GROUPS = { vote: 0, change: 0, state: 1, project: 2, batch: 4 } as const;
const OTHERS: ReadonlyArray<OtherEntry['kind']> = [
  'format',
  'anchor',
  'book',
  'payout',
  'version',
  'blank',
  'same',
  'apart',
  'owner',
  'reasons',
  'standing',
  'file',
  'unknown',
  'supply',
];
const UNORDERED: ReadonlySet<RecordEntry['kind']> = new Set(['book', 'payout', 'owner', 'unknown']);
const OTHER_GROUP = 3;
const COUNTS = ['votes', 'states', 'projects', 'others'] as const;
const MAX_UNKNOWN = 1000;

const groupOf = ({ kind }: RecordEntry): number => GROUPS[kind as keyof typeof GROUPS] ?? OTHER_GROUP;

function orderOf(entry: RecordEntry): number[] {
  switch (entry.kind) {
    case 'project':
      return [entry.projectId, entry.period];
    case 'version':
    case 'blank':
      return [entry.projectId, entry.number];
    case 'same':
    case 'apart':
      return [entry.projectId, entry.identity];
    case 'reasons':
      return [entry.projectId, REASON_GROUPS.indexOf(entry.group), Number(!entry.bullish)];
    case 'owner':
      return [entry.projectId];
    case 'standing':
      return [dayStartMs(entry.day)];
    default:
      return [];
  }
}

function compareWithin(one: RecordEntry, other: RecordEntry): number {
  const isOpinion = (entry: RecordEntry) => entry.kind === 'vote' || entry.kind === 'change';
  if (isOpinion(one) && isOpinion(other)) return compareOpinions(one, other);
  if (one.kind === 'state' && other.kind === 'state') {
    const { pseudonyms } = one;
    const isSplit = compareStates({ ...one, pseudonyms: other.pseudonyms }, other) === 0;
    // The lines are as few as possible.
    if (isSplit && pseudonyms.length < STATE_PSEUDONYMS) return 1;
    return compareStates({ ...one, pseudonyms: pseudonyms.slice(-1) }, other);
  }
  const byKind = OTHERS.indexOf(one.kind as OtherEntry['kind']) - OTHERS.indexOf(other.kind as OtherEntry['kind']);
  if (byKind !== 0) return byKind;
  const [first, second] = [orderOf(one), orderOf(other)];
  const at = first.findIndex((value, index) => value !== second[index]);
  // Several proofs of one project may be made and lost on a day. Unknown kinds have no order that this verifier knows.
  if (at === -1) return UNORDERED.has(one.kind) ? -1 : 0;
  return (first[at] ?? 0) - (second[at] ?? 0);
}

interface VotedOn {
  projectId: number;
  least: number;
  most: number;
}

export interface ReadBatch extends Batch {
  /** The lines of each state, which are in order by the keys of votes. */
  stateRuns: Range[];
}

const newVotesFile = () => createHash('sha256').update(VOTES_FILE_HEADER);

/** Reads the record entry by entry, in order, and reports where its layout differs from docs/use/record.md. */
export class LayoutReader {
  readonly batches: Batch[] = [];
  /** The wallet that anchors checkpoints from each of these batches on; `batch` is an index. */
  readonly anchors: Array<{ batch: number; sender: string | null }> = [];
  readonly readings: EntryOf<'standing'>[] = [];
  supply: EntryOf<'supply'> | null = null;
  private readonly differences: Differences;
  private index = 0;
  private counts = [0, 0, 0, 0];
  private stateRuns: Range[] = [];
  private last: RecordEntry | null = null;
  private newestDay = '';
  /** The day of the batch, as its entries state it. */
  private ownDay = '';
  private standingDay = '';
  /** The newest day of readings at the end of the previous batch. */
  private standingBefore = '';
  private format = 0;
  /** Numbers of entries of kinds that this verifier does not know, by kind. */
  readonly unknown = new Map<string, number>();
  readonly facts = new ListingFactsReader();
  /** Identities that opinions of this batch may name: from that at its start to that at its end. */
  private votedOn: VotedOn[] = [];
  private voteCount = 0;
  /** The votes of this batch, and those of all batches of its day. */
  private votes = newVotesFile();
  private votesOfDay = newVotesFile();
  readonly votesFiles: Array<{ day: string; hash: string }> = [];
  private hasSupply = false;
  readonly sequences: Sequences;

  constructor(differences: Differences) {
    this.differences = differences;
    this.sequences = new Sequences(differences);
  }

  private get dayBefore(): string | undefined {
    return this.batches.at(-1)?.entry.day;
  }

  /** The batch that this entry ends, or null. @throws RecordError if the groups can no longer be determined. */
  read(entry: RecordEntry): ReadBatch | null {
    const { index } = this;
    this.index += 1;
    const group = groupOf(entry);
    if (this.last && group < groupOf(this.last)) {
      throw new RecordError(`Entry ${index} is a ${entry.kind}, which comes after a ${this.last.kind}`);
    }
    if (this.last && group === groupOf(this.last)) this.expectOrder(this.last, entry, index);
    this.expectDay(entry, index);
    if (entry.kind === 'batch') return this.endBatch(entry, index);
    if (entry.kind === 'vote' || entry.kind === 'change') {
      this.expectIdentity(entry, index);
      const line = voteLine(entry);
      this.votes.update(line);
      this.votesOfDay.update(line);
    } else if (entry.kind === 'state') {
      const run = this.stateRuns.at(-1);
      if (run && this.last?.kind === 'state' && this.last.state === entry.state) run.end = this.index;
      else this.stateRuns.push({ start: index, end: this.index });
    } else {
      this.facts.read(entry, this.batches.length);
      this.sequences.read(entry, index, this.voteCount);
      this.expectOther(entry, index);
    }
    this.counts[group] = (this.counts[group] ?? 0) + 1;
    this.last = entry;
    return null;
  }

  /** Opinions and readings may be of earlier days than their batch, all other entries are of its day. */
  private expectDay({ kind, day }: RecordEntry, index: number): void {
    if (day > this.newestDay) this.newestDay = day;
    const isInTime = day >= (this.dayBefore ?? '');
    this.differences.expect(isInTime, () => `Entry ${index} of ${day} is in a later batch`);
    if (kind === 'vote' || kind === 'change' || kind === 'standing') return;
    if (this.ownDay === '') this.ownDay = day;
    this.differences.expect(day === this.ownDay, () => `Entry ${index} of ${day} is in the batch of ${this.ownDay}`);
  }

  private expectOrder(last: RecordEntry, entry: RecordEntry, index: number): void {
    if (compareWithin(last, entry) < 0) return;
    const isTwice = last.kind === entry.kind && entry.kind === 'vote' && compareWithin(last, entry) === 0;
    this.differences.add(
      isTwice
        ? `Entry ${index}: ${entry.pseudonym} votes twice on project ${entry.projectId}`
        : `Entry ${index} is not in order`,
    );
  }

  /** Expects an opinion to be about the identity of its time: the newest of the batch before, or a later one. */
  private expectIdentity({ kind, projectId, identity }: OpinionEntry, index: number): void {
    if (kind === 'vote') this.voteCount += 1;
    let voted = this.votedOn.at(-1);
    if (voted?.projectId !== projectId) {
      const least = this.sequences.identityOf(projectId);
      voted = { projectId, least, most: least };
      this.votedOn.push(voted);
    }
    if (identity > voted.most) voted.most = identity;
    if (identity < voted.least)
      this.differences.add(
        `Entry ${index} is about identity ${identity} of project ${projectId}, which had identity ${voted.least} before`,
      );
  }

  private expectOther(entry: RecordEntry, index: number): void {
    const { differences } = this;
    switch (entry.kind) {
      case 'format':
        if (entry.version > RECORD_FORMAT) {
          throw new RecordError(
            `From entry ${index} on the record has format ${entry.version}; this verifier reads up to ${RECORD_FORMAT}: get a newer one`,
          );
        }
        differences.expect(entry.version > this.format, () => `Entry ${index} names format ${entry.version} again`);
        this.format = entry.version;
        break;
      case 'unknown':
        if (this.unknown.size === MAX_UNKNOWN && !this.unknown.has(entry.word))
          throw new RecordError(
            `The record has more than ${MAX_UNKNOWN} kinds of entries that this verifier does not know`,
          );
        this.unknown.set(entry.word, (this.unknown.get(entry.word) ?? 0) + 1);
        break;
      case 'anchor':
        return this.expectAnchor(entry, index);
      case 'standing':
        return this.expectStanding(entry, index);
      case 'file':
        return this.expectVotesFile(entry, index);
      case 'supply':
        this.supply = entry;
        this.hasSupply = true;
    }
  }

  /** Expects the file to have the votes of all batches of its day. */
  private expectVotesFile({ day, hash }: EntryOf<'file'>, index: number): void {
    const votes = this.dayBefore === day ? this.votesOfDay : this.votes;
    const computed = votes.copy().digest('base64url');
    this.differences.expect(hash === computed, () => `Entry ${index} names another file than the votes of ${day}`);
    this.votesFiles.push({ day, hash });
  }

  private expectAnchor({ sender }: EntryOf<'anchor'>, index: number): void {
    const known = this.anchors.at(-1);
    this.differences.expect(
      known === undefined || known.sender !== sender,
      () => `Entry ${index} names the wallet that anchored before`,
    );
    this.anchors.push({ batch: this.batches.length, sender });
  }

  /** Readings are ordered by day: from the first on, each day has one, without gaps. */
  private expectStanding(entry: EntryOf<'standing'>, index: number): void {
    const { day, found } = entry;
    this.readings.push(entry);
    const { differences, standingDay } = this;
    const distance = standingDay === '' ? 1 : daysBetween(standingDay, day);
    differences.expect(distance > 0, () => `Entry ${index}: the readings of ${day} do not come in order, once`);
    differences.expect(distance <= 1, () => `The readings between ${standingDay} and ${day} are missing`);
    differences.expect(
      !found || found.standing <= found.read,
      () => `Entry ${index}: ${found?.standing} of ${found?.read} wallets read have standing on ${day}`,
    );
    if (distance > 0) this.standingDay = day;
  }

  /** From the first readings on, each day's batches contain the readings of the day. */
  private expectReadings(day: string, newest: string): void {
    this.differences.expect(newest === '' || newest >= day, () => `The readings of ${day} are missing`);
  }

  private endBatch(entry: EntryOf<'batch'>, index: number): ReadBatch {
    const wrong = COUNTS.find((name, at) => entry[name] !== this.counts[at]);
    if (wrong) {
      const at = COUNTS.indexOf(wrong);
      throw new RecordError(`The batch at ${index} says ${entry[wrong]} ${wrong}, and has ${this.counts[at] ?? 0}`);
    }
    const { newestDay, differences, dayBefore, standingDay } = this;
    differences.expect(newestDay === entry.day, () => `The batch of ${entry.day} has entries of ${newestDay}`);
    differences.expect(
      this.batches.length > 0 || (this.format > 0 && this.anchors.length > 0),
      () => `The batch of ${entry.day} is the first one and does not name format and wallet`,
    );
    differences.expect(this.hasSupply, () => `The batch of ${entry.day} has no supply`);
    differences.expect(
      dayBefore === undefined || daysBetween(dayBefore, entry.day) <= 1,
      () => `The days between ${dayBefore} and ${entry.day} are missing`,
    );
    for (const { projectId, most } of this.votedOn) {
      differences.expect(
        most <= this.sequences.identityOf(projectId),
        () => `The batch of ${entry.day} has a vote on identity ${most} of project ${projectId}, which it has not had`,
      );
    }
    this.votedOn = [];
    this.hasSupply = false;
    if (dayBefore !== undefined && entry.day > dayBefore) this.expectReadings(dayBefore, this.standingBefore);
    this.standingBefore = standingDay;
    if (dayBefore !== entry.day) this.votesOfDay = this.votes;
    this.votes = newVotesFile();
    const batch = { ...batchAt(index, entry), stateRuns: this.stateRuns };
    this.batches.push(batch);
    this.stateRuns = [];
    this.counts = [0, 0, 0, 0];
    this.newestDay = '';
    this.ownDay = '';
    this.last = null;
    return batch;
  }

  /** @throws RecordError if the record ends in the middle of a batch. */
  end(): void {
    if (this.last) throw new RecordError('The record does not end with the end of a batch');
  }

  /** Expects the newest batch to end with its day. */
  expectWholeDay(): void {
    if (this.dayBefore !== undefined) this.expectReadings(this.dayBefore, this.standingDay);
  }
}
