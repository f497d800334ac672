import type { Range } from '../log/tree.ts';
import type { RecordEntry } from '../entries/entries.ts';
import type { Spool } from './spool.ts';

interface Cursor<E> {
  batch: number;
  next: E;
  advance: () => Promise<boolean>;
}

export interface Merged<E> {
  batch: number;
  entry: E;
}

/** A sorted part of a batch. */
export interface Run extends Range {
  batch: number;
}

async function openCursor<E>(spool: Spool, { batch, start, end }: Run, read: Unfold<E>): Promise<Cursor<E> | null> {
  let [at, place] = [start, 0];
  let entries: E[] = [];
  const cursor: Cursor<E> = {
    batch,
    next: undefined as unknown as E,
    async advance() {
      if (place >= entries.length) {
        if (at >= end) return false;
        const found = (await spool.entriesFrom(at)).slice(0, end - at);
        [at, entries, place] = [at + found.length, found.flatMap(read), 0];
      }
      cursor.next = entries[place] as E;
      place += 1;
      return true;
    },
  };
  return (await cursor.advance()) ? cursor : null;
}

function sink<T>(heap: T[], isBefore: (one: T, other: T) => boolean): void {
  for (let at = 0; ;) {
    const [left, right] = [at * 2 + 1, at * 2 + 2];
    let first = at;
    for (const child of [left, right]) {
      if (child < heap.length && isBefore(heap[child] as T, heap[first] as T)) first = child;
    }
    if (first === at) return;
    [heap[at], heap[first]] = [heap[first] as T, heap[at] as T];
    at = first;
  }
}

/** The single facts of an entry. */
export type Unfold<E> = (entry: RecordEntry) => E[] | E;

/** Sorted runs of many batches as one sorted stream, batch by batch where entries are equal. Keeps one bundle per run in memory. */
export async function* mergeSorted<E>(
  spool: Spool,
  runs: readonly Run[],
  { compare, read }: { compare: (one: E, other: E) => number; read: Unfold<E> },
): AsyncGenerator<Merged<E>> {
  const opened = await Promise.all(runs.map((run) => openCursor<E>(spool, run, read)));
  const isBefore = (one: Cursor<E>, other: Cursor<E>) => (compare(one.next, other.next) || one.batch - other.batch) < 0;
  const heap = opened.filter((cursor) => cursor !== null).sort((one, other) => (isBefore(one, other) ? -1 : 1));
  for (let top = heap[0]; top; top = heap[0]) {
    yield { batch: top.batch, entry: top.next };
    if (!(await top.advance())) {
      const last = heap.pop();
      if (heap.length === 0 || !last) return;
      heap[0] = last;
    }
    sink(heap, isBefore);
  }
}

export class Stream<E> {
  private readonly source: AsyncGenerator<Merged<E>>;
  private next: Merged<E> | null = null;

  constructor(source: AsyncGenerator<Merged<E>>) {
    this.source = source;
  }

  async head(): Promise<Merged<E> | null> {
    if (!this.next) {
      const { done, value } = await this.source.next();
      this.next = done === true ? null : value;
    }
    return this.next;
  }

  async takeWhile(belongs: (entry: E) => boolean): Promise<Array<Merged<E>>> {
    const taken: Array<Merged<E>> = [];
    for (let next = await this.head(); next && belongs(next.entry); next = await this.head()) {
      taken.push(next);
      this.next = null;
    }
    return taken;
  }
}
