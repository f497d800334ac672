import { applyEdit } from './edits.ts';
import type { Fault } from './faults.ts';
import type { CleanRuns } from './measure.ts';
import { type Result, toResult } from './results.ts';
import { SUBJECTS } from './subjects.ts';
import type { Tester, Outcome } from './tester.ts';
import type { NearTest, TestMap } from './test-map.ts';
import type { Tree } from './tree.ts';

/** Of a quick run: how many test files are looked at, and how long those asked may take together; one is asked in any case. */
const QUICK_CANDIDATES = 6;
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

  /** Tests for a fault: those first that have noticed one there before, then the near ones, then the quick ones. */
  async #testsFor(fault: Fault): Promise<string[]> {
    const { map, clean, depth } = this.#options;
    const isQuick = depth === 'quick';
    const subject = SUBJECTS.find(({ name }) => name === fault.subject);
    const reaching = subject === undefined ? [] : map.testsFor(fault, subject);
    const near = depth === 'units' ? reaching.filter(({ isUnit }) => isUnit) : reaching;
    const timed: Array<Omit<NearTest, 'isUnit'> & { time: number; score: number }> = [];
    for (const { test, rank } of isQuick ? near.slice(0, QUICK_CANDIDATES) : near) {
      const time = await clean.timeOf(test);
      const score = this.#noticed.get(`${placeOf(fault)} ${test}`) ?? 0;
      if (time !== null) timed.push({ test, rank, time, score });
    }
    // One long test must not take the place of several short ones that are as near.
    const isLong = ({ time }: { time: number }): number => Number(isQuick && time > QUICK_MS / 2);
    const tests = timed.toSorted(
      (a, b) => b.score - a.score || isLong(a) - isLong(b) || a.rank - b.rank || a.time - b.time,
    );
    let total = 0;
    const isAffordable = ({ time }: { time: number }): boolean => {
      const isTaken = total === 0 || total + time <= QUICK_MS;
      if (isTaken) total += time;
      return isTaken;
    };
    return (isQuick ? tests.filter(isAffordable) : tests).map(({ test }) => test);
  }

  async plant(fault: Fault): Promise<Result> {
    const { tree, tester, sources } = this.#options;
    const tests = await this.#testsFor(fault);
    const startedAtMs = performance.now();
    const source = sources.get(fault.file) ?? '';
    const isSql = fault.file.endsWith('.sql');
    if (tests.length === 0) return toResult(fault, { state: 'unreached', by: '', asked: 0, seconds: 0 });
    // The migrated database is made when the tests begin.
    if (isSql) await tester.stop();
    try {
      await tree.write(fault.file, applyEdit(source, fault));
      const outcome = await this.#ask({ files: tests, changed: [fault.file] });
      const seconds = Math.round((performance.now() - startedAtMs) / 100) / 10;
      if (outcome.kind === 'failed') this.#learn(fault, outcome.file);
      return toResult(fault, { ...judge(outcome), asked: tests.length, seconds });
    } finally {
      await tree.write(fault.file, source);
      if (isSql) await tester.stop();
      else tester.forget(fault.file);
    }
  }

  async #ask(question: { files: string[]; changed: string[] }): Promise<Outcome> {
    try {
      return await this.#options.tester.run(question, this.#options.clean.limitOf);
    } catch (error) {
      return { kind: 'broken', message: error instanceof Error ? error.message : String(error) };
    }
  }

  #learn(fault: Fault, test: string): void {
    const key = `${placeOf(fault)} ${test}`;
    this.#noticed.set(key, (this.#noticed.get(key) ?? 0) + 1);
  }
}

const LONGEST_REASON = 200;

function judge(outcome: Outcome): Pick<Result, 'state' | 'by'> {
  if (outcome.kind === 'passed') return { state: 'survived', by: '' };
  if (outcome.kind === 'failed') return { state: 'noticed', by: `${outcome.file}: ${outcome.test}` };
  if (outcome.kind === 'stuck') return { state: 'late', by: outcome.file };
  return { state: 'invalid', by: outcome.message.trim().slice(-LONGEST_REASON) };
}
