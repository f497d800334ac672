import { compareKeys } from '#shared/record/batches.ts';
import type { ProjectEntry, ProjectTotals, StateEntry, VoteEntry, VoteKey } from '#shared/record/entries.ts';
import { PSEUDONYM_BYTES } from '#shared/record/secrets.ts';
import type { VoteState } from '#shared/states/votes.ts';
import type { RootedBatch } from './download.ts';
import { type Merged, mergeSorted } from './merge.ts';
import { Differences } from './report.ts';
import type { Spool } from './spool.ts';

/** A project in one listing period. */
export type ProjectPeriod = Pick<VoteKey, 'projectId' | 'period'>;

export interface Recounted {
  votes: number;
  /** Entries that name totals. */
  totals: number;
  /** What the votes of the whole record add up to. */
  projects: Array<ProjectPeriod & ProjectTotals>;
  uniqueness: Differences;
  states: Differences;
  counters: Differences;
}

const NOTHING: ProjectTotals = { bullish: 0, bearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
/** A pseudonym, and whether its vote is replaced. */
const WIDTH = PSEUDONYM_BYTES + 1;
const NAMES = ['bullish', 'bearish', 'verifiedBullish', 'verifiedBearish'] as const;

const compareProjects = (one: ProjectPeriod, other: ProjectPeriod): number =>
  one.projectId - other.projectId || one.period - other.period;

/** Reads a stream as long as its next entry belongs to where the reader is. */
class Stream<E> {
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

type TotalsAfter = [batch: number, totals: ProjectTotals];

/** What the batches change in the totals of one project. */
class Changes {
  private readonly byBatch = new Map<number, ProjectTotals>();

  count(batch: number, { bullish }: VoteEntry, state: VoteState, by: 1 | -1): void {
    if (state === 'replaced') return;
    const change = { ...(this.byBatch.get(batch) ?? NOTHING) };
    change[bullish ? 'bullish' : 'bearish'] += by;
    if (state === 'verified') change[bullish ? 'verifiedBullish' : 'verifiedBearish'] += by;
    this.byBatch.set(batch, change);
  }

  /** The totals after each batch that changes them, in order. */
  totals(): TotalsAfter[] {
    let sum = NOTHING;
    return [...this.byBatch]
      .sort(([one], [other]) => one - other)
      .flatMap(([batch, change]): TotalsAfter[] => {
        if (NAMES.every((name) => change[name] === 0)) return [];
        sum = Object.fromEntries(NAMES.map((name) => [name, sum[name] + change[name]])) as unknown as ProjectTotals;
        return [[batch, sum]];
      });
  }
}

const namesOf = ({ projectId, period }: ProjectPeriod): string =>
  period === 1 ? `project ${projectId}` : `project ${projectId} in period ${period}`;
const textOf = (totals: ProjectTotals): string =>
  `${totals.bullish} bullish and ${totals.bearish} bearish, verified ${totals.verifiedBullish} and ${totals.verifiedBearish}`;

/** Votes of one project and period that count, and those that are replaced, by the bytes of their pseudonyms. */
class Followed {
  readonly period: number;
  private bytes = Buffer.alloc(1024 * WIDTH);
  private count = 0;

  constructor(period: number) {
    this.period = period;
  }

  /** In the order of the record. */
  add(pseudonym: string, isReplaced: boolean): void {
    if (this.count * WIDTH === this.bytes.length) this.bytes = Buffer.concat([this.bytes, this.bytes]);
    this.bytes.write(pseudonym, this.count * WIDTH, 'base64url');
    this.bytes[this.count * WIDTH + PSEUDONYM_BYTES] = Number(isReplaced);
    this.count += 1;
  }

  *all(): Generator<{ bytes: Buffer; isReplaced: boolean }> {
    for (let at = 0; at < this.count; at += 1) {
      const bytes = this.bytes.subarray(at * WIDTH, at * WIDTH + PSEUDONYM_BYTES);
      yield { bytes, isReplaced: this.bytes[at * WIDTH + PSEUDONYM_BYTES] === 1 };
    }
  }

  has(pseudonym: Buffer): boolean {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = this.bytes.compare(pseudonym, 0, PSEUDONYM_BYTES, middle * WIDTH, middle * WIDTH + PSEUDONYM_BYTES);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  }
}

/** Follows every vote through all batches, key by key. */
class Recounter {
  readonly result: Recounted = {
    votes: 0,
    totals: 0,
    projects: [],
    uniqueness: new Differences(),
    states: new Differences(),
    counters: new Differences(),
  };
  private readonly votes: Stream<VoteEntry>;
  private readonly states: Stream<StateEntry>;
  private readonly totals: Stream<ProjectEntry>;
  private readonly days: string[];
  /** The periods of one project so far. */
  private followed: { projectId: number; periods: Followed[] } = { projectId: 0, periods: [] };

  constructor(spool: Spool, batches: readonly RootedBatch[]) {
    const groups = (name: 'votes' | 'states' | 'projects') => batches.map((batch) => batch[name]);
    this.votes = new Stream(mergeSorted<VoteEntry>(spool, groups('votes'), compareKeys));
    this.states = new Stream(mergeSorted<StateEntry>(spool, groups('states'), compareKeys));
    this.totals = new Stream(mergeSorted<ProjectEntry>(spool, groups('projects'), compareProjects));
    this.days = batches.map(({ entry }) => entry.day);
  }

  /** The first project that is not recounted yet. */
  async nextProject(): Promise<ProjectPeriod | null> {
    const heads = [await this.votes.head(), await this.states.head(), await this.totals.head()];
    const [first] = heads.flatMap((head) => head?.entry ?? []).sort(compareProjects);
    return first ? { projectId: first.projectId, period: first.period } : null;
  }

  async countProject(project: ProjectPeriod, onVote: (votes: number) => void): Promise<void> {
    const changes = new Changes();
    if (this.followed.projectId !== project.projectId) {
      this.finishProject();
      this.followed = { projectId: project.projectId, periods: [] };
    }
    this.followed.periods.push(new Followed(project.period));
    const isHere = (entry: ProjectPeriod) => compareProjects(entry, project) === 0;
    for (;;) {
      const heads = [await this.votes.head(), await this.states.head()];
      const [first] = heads.flatMap((head) => (head && isHere(head.entry) ? head.entry : [])).sort(compareKeys);
      if (!first) break;
      await this.followVote(changes, { ...project, pseudonym: first.pseudonym });
      onVote(this.result.votes);
    }
    this.compareTotals(project, changes.totals(), await this.totals.takeWhile(isHere));
  }

  /** Nobody counts twice: of the votes of a pseudonym on a project, the one of the newest period counts, and no other. */
  finishProject(): void {
    const { projectId, periods } = this.followed;
    for (const [at, followed] of periods.entries()) {
      const later = periods.slice(at + 1);
      for (const { bytes, isReplaced } of followed.all()) {
        const hasLater = later.some((one) => one.has(bytes));
        if (hasLater === isReplaced) continue;
        const name = `${bytes.toString('base64url')} on ${namesOf({ projectId, period: followed.period })}`;
        this.result.uniqueness.add(
          hasLater ? `${name} still counts beside a newer vote` : `${name} is replaced by no newer vote`,
        );
      }
    }
  }

  private async followVote(changes: Changes, key: VoteKey): Promise<void> {
    const isSameVote = (entry: VoteKey) => compareKeys(entry, key) === 0;
    const cast = await this.votes.takeWhile(isSameVote);
    for (const { batch } of cast.slice(1)) {
      const where = `in the batch of ${this.days[batch] ?? ''}`;
      this.result.uniqueness.add(`${key.pseudonym} votes again on ${namesOf(key)} ${where}`);
    }
    this.result.votes += cast.length;
    for (const { batch, entry } of cast) changes.count(batch, entry, entry.state, 1);
    const [first] = cast;
    let state = first?.entry.state;
    for (const { batch, entry } of await this.states.takeWhile(isSameVote)) {
      if (!first || !state || batch <= first.batch) {
        this.result.states.add(
          `${key.pseudonym} changes state on ${namesOf(key)} on ${entry.day} without an earlier vote`,
        );
        continue;
      }
      const name = `${key.pseudonym} on ${namesOf(key)} on ${entry.day}`;
      this.result.states.expect(entry.state !== state, () => `${name}: names the state that the vote had before`);
      this.result.states.expect(state !== 'replaced', () => `${name}: counts again after it was replaced`);
      changes.count(batch, first.entry, state, -1);
      changes.count(batch, first.entry, entry.state, 1);
      state = entry.state;
    }
    if (state) this.followed.periods.at(-1)?.add(key.pseudonym, state === 'replaced');
  }

  /** What the record says after each batch, and what the votes until then add up to. */
  private compareTotals(
    project: ProjectPeriod,
    counted: TotalsAfter[],
    said: ReadonlyArray<Merged<ProjectEntry>>,
  ): void {
    const saidBy = new Map(said.map(({ batch, entry }) => [batch, entry]));
    for (const batch of new Set([...counted.map(([at]) => at), ...saidBy.keys()])) {
      const sum = counted.findLast(([at]) => at <= batch)?.[1] ?? NOTHING;
      const entry = saidBy.get(batch);
      this.result.counters.expect(
        entry !== undefined && NAMES.every((name) => entry[name] === sum[name]),
        () =>
          `${namesOf(project)} after ${this.days[batch] ?? ''}: the record says ${entry ? textOf(entry) : 'nothing'}; ` +
          `its votes are ${textOf(sum)}`,
      );
    }
    this.result.totals += said.length;
    this.result.projects.push({ ...project, ...(counted.at(-1)?.[1] ?? NOTHING) });
  }
}

/**
 * Recounts the record: the votes and their states of all batches at once, and compares the totals of each project after each batch with
 * what the batch says. Memory grows with the batches and with the votes of the one project that is being followed, by 17 bytes each.
 */
export async function recount(
  spool: Spool,
  batches: readonly RootedBatch[],
  onProgress: (votes: number) => void,
): Promise<Recounted> {
  const recounter = new Recounter(spool, batches);
  for (let project = await recounter.nextProject(); project; project = await recounter.nextProject()) {
    await recounter.countProject(project, onProgress);
  }
  recounter.finishProject();
  return recounter.result;
}
