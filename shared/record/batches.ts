import type { Range } from '../log/tree.ts';
import { fromBase64Url } from './base64url.ts';
import {
  type BatchEntry,
  RecordError,
  type RecordEntry,
  type StateEntry,
  type VoteEntry,
  type VoteKey,
} from './entries.ts';
import { PSEUDONYM_BYTES } from './secrets.ts';

/** Where the entries of a batch stand: votes, states, projects, others (standing, liabilities), and the batch's own at the end. */
export interface Batch {
  /** The indexes of all of its entries, its own included. */
  entries: Range;
  votes: Range;
  states: Range;
  projects: Range;
  others: Range;
  entry: BatchEntry;
}

/** Reads the entry of an index: from files, a table or a server. */
export type EntryReader = (index: number) => Promise<RecordEntry>;

/** The groups of the batch whose last entry, at `index`, this is. @throws RecordError when they would begin before the log does. */
export function batchAt(index: number, entry: BatchEntry): Batch {
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

/** The order of votes and of states in a batch: by project, period, and the bytes of the pseudonym. Below 0: `one` stands first. */
export function compareKeys(one: VoteKey, other: VoteKey): number {
  return (
    one.projectId - other.projectId || one.period - other.period || comparePseudonyms(one.pseudonym, other.pseudonym)
  );
}

function comparePseudonyms(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => fromBase64Url(text, PSEUDONYM_BYTES));
  if (!left || !right) throw new RecordError('This is no pseudonym');
  const at = left.findIndex((byte, place) => byte !== right[place]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

interface Keyed {
  vote: VoteEntry;
  state: StateEntry;
}

/**
 * Searches a group of a batch (`votes` or `states`) for a key by halving; null where it has none. Reads about log2(group) entries.
 * @throws RecordError for an entry that does not belong into the group.
 */
export async function findEntry<K extends keyof Keyed>(
  kind: K,
  group: Range,
  key: VoteKey,
  read: EntryReader,
): Promise<{ index: number; entry: Keyed[K] } | null> {
  let { start, end } = group;
  while (start < end) {
    const index = start + Math.floor((end - start) / 2);
    const entry = await read(index);
    if (entry.kind !== kind) throw new RecordError(`Entry ${index} is no ${kind}`);
    const order = compareKeys(entry, key);
    if (order === 0) return { index, entry: entry as Keyed[K] };
    if (order < 0) start = index + 1;
    else end = index;
  }
  return null;
}
