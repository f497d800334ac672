import { compareKeys } from '../entries/batches.ts';
import { DAY_MS, dayStartMs } from '../entries/days.ts';
import { digestText, opinionDigest } from '../entries/digest.ts';
import type { EntryOf, OpinionEntry, ProjectTotals, RecordEntry, VoteKey } from '../entries/entries.ts';
import { pseudonymOf } from '../entries/secrets.ts';
import type { VoteState } from '#shared/states/votes.ts';
import type { RootedBatch } from './download.ts';
import { Followed } from './followed.ts';
import { History, type ProjectHistory } from './history.ts';
import { type Merged, mergeSorted, type Run, Stream } from './merge.ts';
import { illegalMove, type Past, pastWith, NO_PAST } from './moves.ts';
import { Differences } from './report.ts';
import type { Spool } from './spool.ts';

export type ProjectPeriod = Pick<VoteKey, 'projectId' | 'period'>;

export interface Recounted {
  votes: number;
  /** All votes, by the state that the record named last. */
  states: Record<VoteState, number>;
  /** Votes by the UTC day on which they were cast. */
  statesByDay: Map<string, Record<VoteState, number>>;
  totals: number;
  /** `opinions`: votes and changes, replaced ones included. */
  projects: Array<ProjectPeriod & ProjectTotals & { digest: string; opinions: number }>;
  own: OwnVote[];
  uniqueness: Differences;
  changes: Differences;
  counters: Differences;
}

export interface OwnVote extends ProjectPeriod {
  /** The vote, then each change of it, oldest first. */
  opinions: ReadonlyArray<Pick<OpinionEntry, 'day' | 'bullish' | 'identity'>>;
  state: VoteState;
}

const NOTHING: ProjectTotals = { bullish: 0, bearish: 0, verifiedBullish: 0, verifiedBearish: 0 };
/** Days are stored in two bytes; no vote has a day beyond them. */
const MAX_DAY = 65_535;
const storedDay = (day: string): number => Math.min(MAX_DAY, Math.max(0, dayStartMs(day) / DAY_MS));
const NAMES = ['bullish', 'bearish', 'verifiedBullish', 'verifiedBearish'] as const;

const compareProjects = (one: ProjectPeriod, other: ProjectPeriod): number =>
  one.projectId - other.projectId || one.period - other.period;

type TotalsAfter = [batch: number, totals: ProjectTotals];

class TotalChanges {
  private readonly byBatch = new Map<number, ProjectTotals>();

  count(batch: number, bullish: boolean, state: VoteState, by: 1 | -1): void {
    if (state === 'replaced') return;
    const change = this.byBatch.get(batch) ?? { ...NOTHING };
    change[bullish ? 'bullish' : 'bearish'] += by;
    if (state === 'verified') change[bullish ? 'verifiedBullish' : 'verifiedBearish'] += by;
    this.byBatch.set(batch, change);
  }

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

interface Standing {
  batch: number;
  opinion: OpinionEntry;
  state: VoteState;
  /** When the voter took this direction; a confirmation keeps it. */
  turnedOn: string;
  past: Past;
}

/** The state that a batch names for a vote. */
interface StateOf extends VoteKey {
  kind: 'state';
  day: string;
  state: VoteState;
}

const unfoldState = (entry: RecordEntry): StateOf[] => {
  const { pseudonyms, ...state } = entry as EntryOf<'state'>;
  return pseudonyms.map((pseudonym) => ({ ...state, pseudonym }));
};

const noStates = (): Record<VoteState, number> => ({
  verified: 0,
  waiting: 0,
  no_standing: 0,
  rhythm: 0,
  moderator: 0,
  replaced: 0,
});

class Recounter {
  readonly result: Recounted = {
    votes: 0,
    states: noStates(),
    statesByDay: new Map(),
    totals: 0,
    projects: [],
    own: [],
    uniqueness: new Differences(),
    changes: new Differences(),
    counters: new Differences(),
  };
  private readonly opinions: Stream<OpinionEntry>;
  private readonly states: Stream<StateOf>;
  private readonly totals: Stream<EntryOf<'project'>>;
  private readonly days: string[];
  private followed: { projectId: number; periods: Followed[]; history: History };

  private readonly secret: Uint8Array | null;

  constructor(spool: Spool, batches: readonly RootedBatch[], secret: Uint8Array | null) {
    this.secret = secret;
    const runs = (name: 'votes' | 'projects'): Run[] => batches.map((one, batch) => ({ ...one[name], batch }));
    const stateRuns = batches.flatMap((one, batch) => one.stateRuns.map((run) => ({ ...run, batch })));
    const opinions = { compare: compareKeys, read: (entry: RecordEntry) => entry as OpinionEntry };
    const totals = { compare: compareProjects, read: (entry: RecordEntry) => entry as EntryOf<'project'> };
    this.opinions = new Stream(mergeSorted<OpinionEntry>(spool, runs('votes'), opinions));
    this.states = new Stream(mergeSorted<StateOf>(spool, stateRuns, { compare: compareKeys, read: unfoldState }));
    this.totals = new Stream(mergeSorted<EntryOf<'project'>>(spool, runs('projects'), totals));
    this.days = batches.map(({ entry }) => entry.day);
    this.followed = { projectId: 0, periods: [], history: new History(0) };
  }

  async nextProject(): Promise<ProjectPeriod | null> {
    const heads = [await this.opinions.head(), await this.states.head(), await this.totals.head()];
    const [first] = heads.flatMap((head) => head?.entry ?? []).sort(compareProjects);
    return first ? { projectId: first.projectId, period: first.period } : null;
  }

  /** Counts a project in a period; finishes the history of the previous project first. */
  async countProject(project: ProjectPeriod, onVote: (votes: number) => void): Promise<ProjectHistory | null> {
    const changes = new TotalChanges();
    let finished: ProjectHistory | null = null;
    if (this.followed.projectId !== project.projectId) {
      finished = this.finishProject();
      this.followed = { projectId: project.projectId, periods: [], history: new History(project.projectId) };
    }
    this.followed.periods.push(new Followed(project.period));
    const ownPseudonym = this.secret && pseudonymOf(this.secret, project.projectId);
    const isHere = (entry: ProjectPeriod) => compareProjects(entry, project) === 0;
    let [digest, said] = [0n, 0];
    for (;;) {
      const heads = [await this.opinions.head(), await this.states.head()];
      const [first] = heads.flatMap((head) => (head && isHere(head.entry) ? head.entry : [])).sort(compareKeys);
      if (!first) break;
      const {
        standing,
        opinions,
        digest: added,
      } = await this.followVote(changes, { ...project, pseudonym: first.pseudonym });
      digest += added;
      said += opinions.length;
      if (standing && first.pseudonym === ownPseudonym) {
        this.result.own.push({ ...project, opinions: opinions.map(({ entry }) => entry), state: standing.state });
      }
      onVote(this.result.votes);
    }
    this.compareTotals(project, changes.totals(), await this.totals.takeWhile(isHere), {
      digest: digestText(digest),
      opinions: said,
    });
    return finished;
  }

  /** Each pseudonym counts once per project: only its vote of the newest period counts. */
  finishProject(): ProjectHistory | null {
    const { projectId, periods, history } = this.followed;
    for (const [at, followed] of periods.entries()) {
      const later = periods.slice(at + 1);
      for (const vote of followed.all()) {
        const next = later.map((one) => one.find(vote.pseudonym)).find((one) => one !== null);
        if (next) history.replace(vote, next);
        if (Boolean(next) === vote.isReplaced) continue;
        const name = `${vote.pseudonym.toString('base64url')} on ${namesOf({ projectId, period: followed.period })}`;
        this.result.uniqueness.add(
          next ? `${name} still counts beside a newer vote` : `${name} is replaced by no newer vote`,
        );
      }
    }
    return projectId === 0 ? null : history.finish(this.days);
  }

  private async followVote(
    changes: TotalChanges,
    key: VoteKey,
  ): Promise<{ standing: Standing | null; opinions: ReadonlyArray<Merged<OpinionEntry>>; digest: bigint }> {
    const isSameVote = (entry: VoteKey) => compareKeys(entry, key) === 0;
    const opinions = await this.opinions.takeWhile(isSameVote);
    const states = await this.states.takeWhile(isSameVote);
    let standing: Standing | null = null;
    let digest = 0n;
    let first: OpinionEntry | null = null;
    for (const next of inTurn(opinions, states)) {
      if (next.entry.kind === 'state') {
        standing = this.changeState(changes, standing, next as Merged<StateOf>);
        continue;
      }
      const opinion = next.entry;
      digest += opinionDigest(opinion);
      if (!this.isAllowed(standing, next as Merged<OpinionEntry>)) {
        // An extra vote is one finding; the totals of a log that counts it still fit.
        changes.count(next.batch, opinion.bullish, opinion.state, 1);
        continue;
      }
      first ??= opinion;
      if (standing) changes.count(next.batch, standing.opinion.bullish, standing.state, -1);
      changes.count(next.batch, opinion.bullish, opinion.state, 1);
      this.followed.history.hold(opinion, standing?.opinion ?? null);
      const turnedOn = standing?.opinion.bullish === opinion.bullish ? standing.turnedOn : opinion.day;
      const { state, day: saidOn } = opinion;
      const day = this.days[next.batch] ?? '';
      if (state === 'no_standing') this.expectMove(NO_PAST, opinion, { from: null, to: state, saidOn, day });
      standing = { batch: next.batch, opinion, state, turnedOn, past: pastWith(NO_PAST, state) };
    }
    if (standing && first) this.finishVote(standing, first);
    return { standing, opinions, digest };
  }

  private finishVote(
    { opinion, state, turnedOn }: Standing,
    { day: firstDay, bullish: wasBullish }: OpinionEntry,
  ): void {
    const { result } = this;
    const { history } = this.followed;
    result.votes += 1;
    result.states[state] += 1;
    const ofDay = result.statesByDay.get(firstDay) ?? noStates();
    ofDay[state] += 1;
    result.statesByDay.set(firstDay, ofDay);
    if (state !== 'replaced') {
      const { identity, bullish } = opinion;
      history.count({ identity, bullish, turnedOn: storedDay(turnedOn), isVerified: state === 'verified' });
    }
    this.followed.periods.at(-1)?.add({
      pseudonym: opinion.pseudonym,
      isReplaced: state === 'replaced',
      bullish: opinion.bullish,
      wasBullish,
      dayNumber: storedDay(firstDay),
      saidOn: storedDay(opinion.day),
    });
  }

  /** A key has one vote, and changes of it on later days. Reports all others. */
  private isAllowed(standing: Standing | null, { batch, entry }: Merged<OpinionEntry>): boolean {
    const { uniqueness, changes } = this.result;
    const name = entry.pseudonym;
    const where = `in the batch of ${this.days[batch] ?? ''}`;
    if (entry.kind === 'vote') {
      if (!standing) return true;
      uniqueness.add(`${name} votes again on ${namesOf(entry)} ${where}`);
      return false;
    }
    if (!standing) {
      changes.add(`${name} changes a vote on ${namesOf(entry)} ${where} that is not recorded`);
      return false;
    }
    const { opinion, state } = standing;
    const isLater = opinion.kind === 'vote' ? entry.day >= opinion.day : entry.day > opinion.day;
    changes.expect(isLater, () => `${name} changes the vote on ${namesOf(entry)} twice on ${entry.day}`);
    changes.expect(state !== 'replaced', () => `${name} changes a vote on ${namesOf(entry)} that was replaced`);
    changes.expect(
      entry.identity >= opinion.identity,
      () => `${name} changes the vote on identity ${opinion.identity} of ${namesOf(entry)} to one on ${entry.identity}`,
    );
    return isLater && state !== 'replaced';
  }

  private changeState(
    changes: TotalChanges,
    standing: Standing | null,
    { batch, entry }: Merged<StateOf>,
  ): Standing | null {
    if (!standing || batch <= standing.batch) {
      this.result.changes.add(
        `${entry.pseudonym} changes state on ${namesOf(entry)} on ${entry.day} without an earlier vote`,
      );
      return standing;
    }
    const name = `${entry.pseudonym} on ${namesOf(entry)} on ${entry.day}`;
    const { opinion, state, turnedOn, past } = standing;
    const { day } = entry;
    this.expectMove(past, entry, { from: state, to: entry.state, saidOn: opinion.day, day });
    this.result.changes.expect(entry.state !== state, () => `${name}: names the state that the vote had before`);
    this.result.changes.expect(state !== 'replaced', () => `${name}: counts again after it was replaced`);
    changes.count(batch, opinion.bullish, state, -1);
    changes.count(batch, opinion.bullish, entry.state, 1);
    return { batch, opinion, state: entry.state, turnedOn, past: pastWith(past, entry.state) };
  }

  private expectMove(past: Past, key: VoteKey, move: Parameters<typeof illegalMove>[1]): void {
    const reason = illegalMove(past, move);
    this.result.changes.expect(
      reason === null,
      () => `${key.pseudonym} on ${namesOf(key)} on ${move.day} is '${move.to}', and ${reason}`,
    );
  }

  private compareTotals(
    project: ProjectPeriod,
    counted: TotalsAfter[],
    said: ReadonlyArray<Merged<EntryOf<'project'>>>,
    sums: { digest: string; opinions: number },
  ): void {
    const saidBy = new Map(said.map(({ batch, entry }) => [batch, entry]));
    for (const batch of new Set([...counted.map(([at]) => at), ...saidBy.keys()])) {
      const sum = counted.findLast(([at]) => at <= batch)?.[1] ?? NOTHING;
      const entry = saidBy.get(batch);
      const where = `${namesOf(project)} after ${this.days[batch] ?? ''}`;
      if (!entry || NAMES.some((name) => entry[name] !== sum[name])) {
        this.result.counters.add(
          `${where}: the record says ${entry ? textOf(entry) : 'nothing'}; its votes are ${textOf(sum)}`,
        );
      } else if (!counted.some(([at]) => at === batch)) {
        this.result.counters.add(`${where}: the record names totals that have not changed`);
      }
    }
    let before = NOTHING;
    for (const [batch, totals] of counted) {
      this.followed.history.verify(batch, {
        bullish: totals.verifiedBullish - before.verifiedBullish,
        bearish: totals.verifiedBearish - before.verifiedBearish,
      });
      before = totals;
    }
    this.result.totals += said.length;
    this.result.projects.push({ ...project, ...before, ...sums });
  }
}

/** The opinions and states of one key, batch by batch; opinions come first where a batch has both. */
function inTurn(
  opinions: ReadonlyArray<Merged<OpinionEntry>>,
  states: ReadonlyArray<Merged<StateOf>>,
): Array<Merged<OpinionEntry | StateOf>> {
  if (states.length === 0) return [...opinions];
  return [...opinions, ...states].sort((one, other) => one.batch - other.batch);
}

export type OnProject = (history: ProjectHistory) => Promise<void>;

/**
 * Recounts the record: follows the votes and their states through all batches at once, and compares the totals of each
 * project after each batch with those of the batch. Memory grows with the batches and, by 21 bytes each, with the votes
 * of the one project that is being followed.
 */
export async function recount(
  spool: Spool,
  batches: readonly RootedBatch[],
  {
    onVotes,
    onProject,
    secret = null,
  }: { onVotes: (votes: number) => void; onProject: OnProject; secret?: Uint8Array | null },
): Promise<Recounted> {
  const recounter = new Recounter(spool, batches, secret);
  for (let project = await recounter.nextProject(); project; project = await recounter.nextProject()) {
    const finished = await recounter.countProject(project, onVotes);
    if (finished) await onProject(finished);
  }
  const last = recounter.finishProject();
  if (last) await onProject(last);
  return recounter.result;
}
