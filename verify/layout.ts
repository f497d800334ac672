import { type Batch, batchAt, compareKeys } from '#shared/record/batches.ts';
import { type BatchEntry, RecordError, type RecordEntry } from '#shared/record/entries.ts';
import type { Differences } from './report.ts';

/** In which order the kinds of entries stand in a batch. */
const GROUPS = { vote: 0, state: 1, project: 2, standing: 3, liabilities: 3, batch: 4 } as const;
const COUNTS = ['votes', 'states', 'projects', 'others'] as const;

/** Below 0: `one` stands before `other` in their group. */
function compareWithin(one: RecordEntry, other: RecordEntry): number {
  if (one.kind === 'vote' && other.kind === 'vote') return compareKeys(one, other);
  if (one.kind === 'state' && other.kind === 'state') return compareKeys(one, other);
  if (one.kind === 'project' && other.kind === 'project') {
    return one.projectId - other.projectId || one.period - other.period;
  }
  return -1;
}

/** Reads the record entry by entry, in order, and says where its batches are not laid out as docs/record.md says. */
export class LayoutReader {
  readonly batches: Batch[] = [];
  private readonly differences: Differences;
  private index = 0;
  private counts = [0, 0, 0, 0];
  private last: RecordEntry | null = null;
  private newestDay = '';
  private standingDay = '';

  constructor(differences: Differences) {
    this.differences = differences;
  }

  private get dayBefore(): string {
    return this.batches.at(-1)?.entry.day ?? '';
  }

  /** The batch that this entry ends, or null. @throws RecordError where the groups can no longer be told. */
  read(entry: RecordEntry): Batch | null {
    const { differences, index } = this;
    this.index += 1;
    const group = GROUPS[entry.kind];
    if (this.last && group < GROUPS[this.last.kind]) {
      throw new RecordError(`Entry ${index} is a ${entry.kind}, which does not stand behind a ${this.last.kind}`);
    }
    if (this.last?.kind === entry.kind) this.expectOrder(this.last, entry, index);
    // What readings found may be known later; votes and totals may not come later.
    const isInTime = entry.kind === 'standing' || entry.day >= this.dayBefore;
    differences.expect(isInTime, () => `Entry ${index} of ${entry.day} stands in a later batch`);
    if (entry.day > this.newestDay) this.newestDay = entry.day;
    if (group === GROUPS.liabilities) this.expectOther(entry, index);
    if (entry.kind === 'batch') return this.endBatch(entry, index);
    this.counts[group] = (this.counts[group] ?? 0) + 1;
    this.last = entry;
    return null;
  }

  private expectOrder(last: RecordEntry, entry: RecordEntry, index: number): void {
    const order = compareWithin(last, entry);
    if (order === 0 && entry.kind === 'vote') {
      this.differences.add(`Entry ${index}: ${entry.pseudonym} votes twice on project ${entry.projectId}`);
    } else if (order >= 0) {
      this.differences.add(`Entry ${index} is not in order`);
    }
  }

  /** Readings come by day, each day once in the whole record; one proof of liabilities stands behind them. */
  private expectOther({ kind, day }: RecordEntry, index: number): void {
    const { differences } = this;
    differences.expect(
      this.last?.kind !== 'liabilities',
      () => `Entry ${index} is a ${kind}, which does not stand behind the batch's proof of liabilities`,
    );
    if (kind !== 'standing') return;
    differences.expect(
      day > this.standingDay,
      () => `Entry ${index}: the readings of ${day} do not come in order, once`,
    );
    if (day > this.standingDay) this.standingDay = day;
  }

  private endBatch(entry: BatchEntry, index: number): Batch {
    const wrong = COUNTS.find((name, at) => entry[name] !== this.counts[at]);
    if (wrong) {
      const at = COUNTS.indexOf(wrong);
      throw new RecordError(`The batch at ${index} says ${entry[wrong]} ${wrong}, and has ${this.counts[at] ?? 0}`);
    }
    const { newestDay, differences } = this;
    differences.expect(newestDay === entry.day, () => `The batch of ${entry.day} has entries of ${newestDay}`);
    const hasProof = this.last?.kind === 'liabilities';
    differences.expect(hasProof, () => `The batch of ${entry.day} has no proof of liabilities`);
    const batch = batchAt(index, entry);
    this.batches.push(batch);
    this.counts = [0, 0, 0, 0];
    this.last = null;
    return batch;
  }

  /** @throws RecordError where the record ends in the middle of a batch. */
  end(): void {
    if (this.last) throw new RecordError('The record does not end with the end of a batch');
  }
}
