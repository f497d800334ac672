import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Tester } from './tester.ts';

const Times = z.record(z.string(), z.number());

/** Time until a file counts as stuck where nothing is known of it yet. */
const UNKNOWN_LIMIT_MS = 300_000;
const TIMES = 4;
const MORE_MS = 15_000;

export interface CleanRunsOptions {
  tester: Tester;
  log: (line: string) => void;
  /** Where the times of this very tree are kept. */
  file: string;
}

/**
 * How long test files take without a fault, measured when first asked for and kept for this very tree. A file that fails without a
 * fault says nothing about faults and is left out.
 */
export class CleanRuns {
  readonly #options: CleanRunsOptions;
  #times: Record<string, number | null> = {};

  constructor(options: CleanRunsOptions) {
    this.#options = options;
  }

  async read(): Promise<void> {
    const { file } = this.#options;
    if (!existsSync(file)) return;
    const known = Times.safeParse(JSON.parse(await readFile(file, 'utf8')));
    // Another run may have measured more meanwhile.
    if (known.success) this.#times = { ...known.data, ...this.#times };
  }

  /** Milliseconds of a file; null when it fails. Leaves the tree as it is, which must have no fault in it. */
  async timeOf(test: string): Promise<number | null> {
    const known = this.#times[test];
    if (known !== undefined) return known;
    const { log, file } = this.#options;
    // On a busy machine a test may fail once; what it says about faults is too much to lose.
    const time = (await this.#measure(test)) ?? (await this.#measure(test));
    if (time === null) log(`  left out, as it fails without a fault: ${test}`);
    await this.read();
    this.#times[test] = time;
    const passed = Object.fromEntries(Object.entries(this.#times).filter(([, known]) => known !== null));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(passed));
    return time;
  }

  async #measure(test: string): Promise<number | null> {
    const { tester, log } = this.#options;
    const startedAtMs = performance.now();
    const outcome = await tester.run({ files: [test], changed: [] }, () => UNKNOWN_LIMIT_MS);
    if (outcome.kind === 'passed') return Math.round(performance.now() - startedAtMs);
    log(
      `  fails without a fault: ${test}: ${outcome.kind === 'failed' ? `${outcome.test}: ${outcome.message}` : outcome.kind}`,
    );
    return null;
  }

  limitOf = (file: string): number => {
    const time = this.#times[file];
    return typeof time === 'number' ? time * TIMES + MORE_MS : UNKNOWN_LIMIT_MS;
  };
}
