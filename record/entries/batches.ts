import { VOTE_STATES, type VoteState } from '#shared/states/votes.ts';
import type { Range } from '../log/tree.ts';
import { compareBase64Url } from './base64url.ts';
import { type EntryOf, type OpinionEntry, RecordError, type RecordEntry, type VoteKey } from './entries.ts';

export interface Batch {
  entries: Range;
  votes: Range;
  states: Range;
  projects: Range;
  others: Range;
  entry: EntryOf<'batch'>;
}

export type EntryReader = (index: number) => Promise<RecordEntry>;

/** The batch that ends with this entry. @throws RecordError if it would begin before the log does */
export function batchAt(index: number, entry: EntryOf<'batch'>): Batch {
  const { votes, states, projects, others } = entry;
  const start = index - votes - states - projects - others;
  if (start < 0) throw new RecordError(`The batch at ${index} has more entries than there are before it`);
  const after = ({ end }: Range, count: number): Range => ({ start: end, end: end + count });
  const votesRange = { start, end: start + votes };
  const statesRange = after(votesRange, states);
  const projectsRange = after(statesRange, projects);
  return {
    entries: { start, end: index + 1 },
    votes: votesRange,
    states: statesRange,
    projects: projectsRange,
    others: after(projectsRange, others),
    entry,
  };
}

/** The batches of a log of that size, newest first: each ends where the one after it begins. @throws RecordError */
export async function* readBatches(size: number, read: EntryReader): AsyncGenerator<Batch> {
  for (let end = size; end > 0;) {
    const entry = await read(end - 1);
    if (entry.kind !== 'batch') throw new RecordError(`Entry ${end - 1} is not the end of a batch`);
    const batch = batchAt(end - 1, entry);
    yield batch;
    end = batch.entries.start;
  }
}

/** Sorts by project, period, and the bytes of the pseudonym. Below 0: `one` comes first. */
export function compareKeys(one: VoteKey, other: VoteKey): number {
  return (
    one.projectId - other.projectId || one.period - other.period || compareBase64Url(one.pseudonym, other.pseudonym)
  );
}

/** The order of states in a batch: by state, then by the key of their first vote. */
export const compareStates = (one: EntryOf<'state'>, other: EntryOf<'state'>): number =>
  VOTE_STATES.indexOf(one.state) - VOTE_STATES.indexOf(other.state) || compareKeys(firstOf(one), firstOf(other));
const firstOf = ({ projectId, period, pseudonyms: [pseudonym = ''] }: EntryOf<'state'>): VoteKey => {
  return { projectId, period, pseudonym };
};

/** The order of votes and changes in a batch: by key, the vote first, then the changes of it by day. */
export function compareOpinions(one: OpinionEntry, other: OpinionEntry): number {
  const byKey = compareKeys(one, other);
  if (byKey !== 0) return byKey;
  if (one.kind !== other.kind) return one.kind === 'vote' ? -1 : 1;
  if (one.kind === 'vote' || one.day === other.day) return 0;
  return one.day < other.day ? -1 : 1;
}

export interface Found<E> {
  index: number;
  entry: E;
}

/** The first index of a sorted group whose entry is not below. */
async function firstNotBelow(group: Range, isBelow: (index: number) => Promise<boolean>): Promise<number> {
  let { start, end } = group;
  while (start < end) {
    const index = start + Math.floor((end - start) / 2);
    if (await isBelow(index)) start = index + 1;
    else end = index;
  }
  return start;
}

/** The vote with a key and its changes, in their order, by binary search. @throws RecordError */
export async function findOpinions(group: Range, key: VoteKey, read: EntryReader): Promise<Array<Found<OpinionEntry>>> {
  async function at(index: number): Promise<OpinionEntry> {
    const entry = await read(index);
    if (entry.kind !== 'vote' && entry.kind !== 'change') throw new RecordError(`Entry ${index} is not a vote`);
    return entry;
  }
  const start = await firstNotBelow(group, async (index) => compareKeys(await at(index), key) < 0);
  const found: Array<Found<OpinionEntry>> = [];
  for (let index = start; index < group.end; index += 1) {
    const entry = await at(index);
    if (compareKeys(entry, key) !== 0) break;
    found.push({ index, entry });
  }
  return found;
}

/** The state that a batch names for a vote, by binary search among the votes of each state; null for none. @throws RecordError */
export async function findState(group: Range, key: VoteKey, read: EntryReader): Promise<VoteState | null> {
  if (group.start === group.end) return null;
  async function at(index: number): Promise<EntryOf<'state'>> {
    const entry = await read(index);
    if (entry.kind !== 'state') throw new RecordError(`Entry ${index} is not a state`);
    return entry;
  }
  const { projectId, period, pseudonym } = key;
  for (const state of VOTE_STATES) {
    const sought: EntryOf<'state'> = { kind: 'state', day: '', projectId, period, state, pseudonyms: [pseudonym] };
    const next = await firstNotBelow(group, async (index) => compareStates(await at(index), sought) <= 0);
    if (next === group.start) continue;
    const entry = await at(next - 1);
    const isHere = entry.state === state && entry.projectId === projectId && entry.period === period;
    if (isHere && entry.pseudonyms.includes(pseudonym)) return state;
  }
  return null;
}
