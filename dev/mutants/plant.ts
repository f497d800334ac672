import { applyEdit } from './edits.ts';
import type { Fault } from './faults.ts';
import type { CleanRuns } from './measure.ts';
import { type Result, toResult } from './results.ts';
import { SUBJECTS } from './subjects.ts';
import type { Tester, Outcome } from './tester.ts';
import type { TestMap } from './test-map.ts';
import type { Tree } from './tree.ts';

/** How many test files are near. */
const NEAR = 6;
/** How long those asked in a quick run may take together; one is asked in any case. */
const QUICK_MS = 40_000;

/** What tests are remembered for. */
const placeOf = ({ file, scope }: Fault): string => (file.endsWith('.sql') ? scope : file);

export interface PlantOptions {
  tree: Tree;
  tester: Tester;
  clean: CleanRuns;
  map: TestMap;
  /** Texts of the sources without a fault. */
  sources: Map<string, string>;
  /** Asks all tests that reach a source, only the nearest, or only unit tests. */
  depth: Depth;
}

export type Depth = 'all' | 'quick' | 'units';

/** Plants one fault at a time and asks the tests. */
export class Planter {
  readonly #options: PlantOptions;
  /** How often a test file has noticed a fault of a place: it is asked first the next time. */
  readonly #noticed = new Map<string, number>();

  constructor(options: PlantOptions) {
    this.#options = options;
  }

  /** Tests that may notice a fault in the turns they are asked in: the near ones first, all others only where those do not notice it. */
  #turnsFor(fault: Fault): string[][] {
    const { map, depth } = this.#options;
    const subject = SUBJECTS.find(({ name }) => name === fault.subject);
    const reaching = subject === undefined ? [] : map.testsFor(fault, subject);
    const near = (depth === 'units' ? reaching.filter(({ isUnit }) => isUnit) : reaching)
      .map(({ test, rank }) => ({ test, rank, score: this.#scoreOf(fault, test) }))
      .toSorted((a, b) => b.score - a.score || a.rank - b.rank)
      .map(({ test }) => test);
    const turns = [near.slice(0, NEAR), near.slice(NEAR)];
    return (depth === 'quick' ? turns.slice(0, 1) : turns).filter((tests) => tests.length > 0);
  }

  /** Those of a turn that pass without a fault: long ones last, of a quick run only what fits into its time. */
  async #inTime(fault: Fault, tests: string[]): Promise<string[]> {
    const timed: Array<{ test: string; time: number; score: number }> = [];
    for (const test of tests) {
      const time = await this.#options.clean.timeOf(test);
      if (time !== null) timed.push({ test, time, score: this.#scoreOf(fault, test) });
    }
    // One long test must not take the place of several short ones that are as near.
    const isLong = ({ time }: { time: number }): number => Number(time > QUICK_MS / 2);
    const sorted = timed.toSorted((a, b) => b.score - a.score || isLong(a) - isLong(b));
    let total = 0;
    const isAffordable = ({ time }: { time: number }): boolean => {
      const isTaken = this.#options.depth !== 'quick' || total === 0 || total + time <= QUICK_MS;
      if (isTaken) total += time;
      return isTaken;
    };
    return sorted.filter(isAffordable).map(({ test }) => test);
  }

  async plant(fault: Fault): Promise<Result> {
    let [asked, seconds] = [0, 0];
    let outcome: Outcome | null = null;
    for (const turn of this.#turnsFor(fault)) {
      const tests = await this.#inTime(fault, turn);
      if (tests.length === 0) continue;
      const startedAtMs = performance.now();
      outcome = await this.#askWith(fault, tests);
      asked += tests.length;
      seconds += (performance.now() - startedAtMs) / 1000;
      if (outcome.kind !== 'passed') break;
    }
    if (outcome === null) return toResult(fault, { state: 'unreached', by: '', asked, seconds });
    if (outcome.kind === 'failed') this.#learn(fault, outcome.file);
    return toResult(fault, { ...stateOf(outcome), asked, seconds: Math.round(seconds * 10) / 10 });
  }

  /** Asks tests while the fault is in the tree. */
  async #askWith(fault: Fault, tests: string[]): Promise<Outcome> {
    const { tree, tester, sources } = this.#options;
    const source = sources.get(fault.file) ?? '';
    const isSql = fault.file.endsWith('.sql');
    // The migrated database is made when the tests begin.
    if (isSql) await tester.stop();
    try {
      await tree.write(fault.file, applyEdit(source, fault));
      return await this.#ask({ files: tests, changed: [fault.file] });
    } finally {
      await tree.write(fault.file, source);
      if (isSql) await tester.stop();
      else tester.drop(fault.file);
    }
  }

  async #ask(question: { files: string[]; changed: string[] }): Promise<Outcome> {
    try {
      return await this.#options.tester.run(question, this.#options.clean.limitOf);
    } catch (error) {
      return { kind: 'broken', message: error instanceof Error ? error.message : String(error) };
    }
  }

  #scoreOf = (fault: Fault, test: string): number => this.#noticed.get(`${placeOf(fault)} ${test}`) ?? 0;

  #learn(fault: Fault, test: string): void {
    this.#noticed.set(`${placeOf(fault)} ${test}`, this.#scoreOf(fault, test) + 1);
  }
}

const LONGEST_REASON = 200;

function stateOf(outcome: Outcome): Pick<Result, 'state' | 'by'> {
  if (outcome.kind === 'passed') return { state: 'survived', by: '' };
  if (outcome.kind === 'failed') return { state: 'noticed', by: `${outcome.file}: ${outcome.test}` };
  if (outcome.kind === 'stuck') return { state: 'late', by: outcome.file };
  return { state: 'invalid', by: outcome.message.trim().slice(-LONGEST_REASON) };
}
