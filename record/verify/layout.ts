import { type Batch, batchAt, compareOpinions, compareKeys } from '../entries/batches.ts';
import {
  type EntryOf,
  type OtherEntry,
  REASON_GROUPS,
  RECORD_FORMAT,
  RecordError,
  type RecordEntry,
} from '../entries/entries.ts';
import { daysBetween, dayStartMs } from '../entries/days.ts';
import { ListingFactsReader } from './listing-facts.ts';
import type { Differences } from './report.ts';

const GROUPS = { vote: 0, change: 0, state: 1, project: 2, batch: 4 } as const;
const OTHERS: ReadonlyArray<OtherEntry['kind']> = [
  'format',
  'anchor',
  'version',
  'blank',
  'same',
  'apart',
  'owner',
  'holders',
  'reasons',
  'standing',
  'file',
  'unknown',
  'liabilities',
];
const OTHER_GROUP = 3;
const COUNTS = ['votes', 'states', 'projects', 'others'] as const;
const HOLDERS_DAYS = 7;
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
    case 'holders':
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
  if (one.kind === 'state' && other.kind === 'state') return compareKeys(one, other);
  const byKind = OTHERS.indexOf(one.kind as OtherEntry['kind']) - OTHERS.indexOf(other.kind as OtherEntry['kind']);
  if (byKind !== 0) return byKind;
  const [first, second] = [orderOf(one), orderOf(other)];
  const at = first.findIndex((value, index) => value !== second[index]);
  // Several proofs of one project may be made and lost on a day. Unknown kinds have no order that this verifier knows.
  if (at === -1) return one.kind === 'owner' || one.kind === 'unknown' ? -1 : 0;
  return (first[at] ?? 0) - (second[at] ?? 0);
}

export interface RecordedVersions {
  versions: Array<Pick<EntryOf<'version'>, 'identity' | 'hash'>>;
  /** Identities that a moderator confirmed as the previous project. */
  same: Set<number>;
}

/** Reads the record entry by entry, in order, and reports where its layout differs from docs/use/record.md. */
export class LayoutReader {
  readonly batches: Batch[] = [];
  /** Which wallet anchors the checkpoints of a batch and of those after it, by its place among the batches. */
  readonly anchors: Array<{ batch: number; sender: string | null }> = [];
  readonly readings: EntryOf<'standing'>[] = [];
  liabilities: EntryOf<'liabilities'> | null = null;
  private readonly differences: Differences;
  private index = 0;
  private counts = [0, 0, 0, 0];
  private last: RecordEntry | null = null;
  private newestDay = '';
  private standingDay = '';
  private format = 0;
  /** Numbers of entries of kinds that this verifier does not know, by kind. */
  readonly unknown = new Map<string, number>();
  readonly facts = new ListingFactsReader();
  readonly versions = new Map<number, RecordedVersions>();
  /** The newest identity of each project that votes of this batch are about, where it is not the first. */
  private readonly votedOn = new Map<number, number>();
  private readonly holderDays = new Map<number, string>();

  constructor(differences: Differences) {
    this.differences = differences;
  }

  private get dayBefore(): string | undefined {
    return this.batches.at(-1)?.entry.day;
  }

  /** The batch that this entry ends, or null. @throws RecordError where the groups can no longer be determined. */
  read(entry: RecordEntry): Batch | null {
    const { differences, index } = this;
    this.index += 1;
    const group = groupOf(entry);
    if (this.last && group < groupOf(this.last)) {
      throw new RecordError(`Entry ${index} is a ${entry.kind}, which comes after a ${this.last.kind}`);
    }
    if (this.last && group === groupOf(this.last)) this.expectOrder(this.last, entry, index);
    // Results of readings may be known later; votes and totals may not come later.
    const isInTime = entry.kind === 'standing' || entry.day >= (this.dayBefore ?? '');
    differences.expect(isInTime, () => `Entry ${index} of ${entry.day} is in a later batch`);
    if (entry.day > this.newestDay) this.newestDay = entry.day;
    if (entry.kind === 'batch') return this.endBatch(entry, index);
    this.facts.read(entry, this.batches.length);
    this.expectOther(entry, index);
    if (
      (entry.kind === 'vote' || entry.kind === 'change') &&
      entry.identity > (this.votedOn.get(entry.projectId) ?? 1)
    ) {
      this.votedOn.set(entry.projectId, entry.identity);
    }
    this.counts[group] = (this.counts[group] ?? 0) + 1;
    this.last = entry;
    return null;
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
      case 'version':
        return this.expectVersion(entry, index);
      case 'same': {
        const newest = this.identityOf(entry.projectId);
        const isKnown = entry.identity > 1 && entry.identity <= newest;
        this.versions.get(entry.projectId)?.same.add(entry.identity);
        differences.expect(
          isKnown,
          () => `Entry ${index} is about an identity that project ${entry.projectId} has not had`,
        );
        break;
      }
      case 'holders':
        return this.expectHolders(entry, index);
      case 'standing':
        return this.expectStanding(entry, index);
      case 'liabilities':
        this.liabilities = entry;
        // Every account in the tree is owed at least one Snap.
        differences.expect(
          entry.total >= BigInt(entry.accounts),
          () => `Entry ${index} owes ${entry.total} Snaps to ${entry.accounts} accounts, less than one each`,
        );
    }
  }

  private expectAnchor({ sender }: EntryOf<'anchor'>, index: number): void {
    const known = this.anchors.at(-1);
    this.differences.expect(
      known === undefined || known.sender !== sender,
      () => `Entry ${index} names the wallet that anchored before`,
    );
    this.anchors.push({ batch: this.batches.length, sender });
  }

  private identityOf(projectId: number): number {
    return this.versions.get(projectId)?.versions.at(-1)?.identity ?? 1;
  }

  private expectVersion({ projectId, number, identity, hash }: EntryOf<'version'>, index: number): void {
    const known = this.versions.get(projectId) ?? { versions: [], same: new Set() };
    const before = { number: known.versions.length, identity: this.identityOf(projectId) };
    this.differences.expect(
      number === before.number + 1,
      () => `Entry ${index} is version ${number} of project ${projectId}, after version ${before.number}`,
    );
    const isNext = identity === before.identity || (number > 1 && identity === before.identity + 1);
    this.differences.expect(
      isNext,
      () => `Entry ${index} gives project ${projectId} identity ${identity}, after ${before.identity}`,
    );
    known.versions.push({ identity, hash });
    this.versions.set(projectId, known);
  }

  private expectHolders({ projectId, day }: EntryOf<'holders'>, index: number): void {
    const before = this.holderDays.get(projectId);
    this.differences.expect(
      before === undefined || daysBetween(before, day) >= HOLDERS_DAYS,
      () => `Entry ${index} names the holders of project ${projectId} again within ${HOLDERS_DAYS} days`,
    );
    this.holderDays.set(projectId, day);
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

  private endBatch(entry: EntryOf<'batch'>, index: number): Batch {
    const wrong = COUNTS.find((name, at) => entry[name] !== this.counts[at]);
    if (wrong) {
      const at = COUNTS.indexOf(wrong);
      throw new RecordError(`The batch at ${index} says ${entry[wrong]} ${wrong}, and has ${this.counts[at] ?? 0}`);
    }
    const { newestDay, differences, dayBefore } = this;
    differences.expect(newestDay === entry.day, () => `The batch of ${entry.day} has entries of ${newestDay}`);
    differences.expect(
      this.batches.length > 0 || (this.format > 0 && this.anchors.length > 0),
      () => `The batch of ${entry.day} is the first one and does not name format and wallet`,
    );
    differences.expect(
      this.last?.kind === 'liabilities',
      () => `The batch of ${entry.day} has no proof of liabilities`,
    );
    differences.expect(
      dayBefore === undefined || daysBetween(dayBefore, entry.day) <= 1,
      () => `The days between ${dayBefore} and ${entry.day} are missing`,
    );
    for (const [projectId, identity] of this.votedOn) {
      differences.expect(
        identity <= this.identityOf(projectId),
        () =>
          `The batch of ${entry.day} has a vote on identity ${identity} of project ${projectId}, which it has not had`,
      );
    }
    this.votedOn.clear();
    const batch = batchAt(index, entry);
    this.batches.push(batch);
    this.counts = [0, 0, 0, 0];
    this.newestDay = '';
    this.last = null;
    return batch;
  }

  /** @throws RecordError where the record ends in the middle of a batch. */
  end(): void {
    if (this.last) throw new RecordError('The record does not end with the end of a batch');
  }
}
