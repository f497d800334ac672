import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '../process/report.ts';

/** What the host is asked: to run these test files in this order, after these files have changed. */
export interface Question {
  files: string[];
  changed: string[];
}

export type HostMessage =
  | { kind: 'ready'; tests: TestFile[] }
  | { kind: 'file'; file: string }
  | { kind: 'failed'; file: string; test: string; message: string }
  | { kind: 'done' }
  | { kind: 'broken'; message: string };

export interface TestFile {
  file: string;
  isUnit: boolean;
}

/** How a run ended. `stuck`: a file took longer than it may; `broken`: no test could begin, as with a migration that fails. */
export type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; file: string; test: string; message: string }
  | { kind: 'stuck'; file: string }
  | { kind: 'broken'; message: string };

const START_TIMEOUT_MS = 120_000;
/** A file that has failed may end its servers; one that does not is ended. */
const GRACE_MS = 4_000;
const MOST_STDERR = 4_000;

/** Runs test files of a copy of the tree, in a process that can be ended at any time. */
export class Tester {
  readonly #tree: string;
  readonly #env: NodeJS.ProcessEnv;
  #host: ChildProcess | null = null;
  #stderr = '';
  #tests: TestFile[] = [];
  #isIdle = false;
  readonly #stale: string[] = [];

  constructor(tree: string, env: NodeJS.ProcessEnv) {
    this.#tree = tree;
    this.#env = env;
  }

  /** All test files; starts the host when need be. */
  async tests(): Promise<TestFile[]> {
    await this.#start();
    return this.#tests;
  }

  /** Runs the files in turn until one fails. `limitOf` says how long each may take. */
  async run(question: Question, limitOf: (file: string) => number): Promise<Outcome> {
    const host = await this.#start();
    let failure: Outcome | null = null;
    let current = question.files[0] ?? '';
    const outcome = await new Promise<Outcome>((resolve) => {
      let timer = setTimeout(() => resolve({ kind: 'stuck', file: current }), limitOf(current) + START_TIMEOUT_MS);
      const within = (ms: number, late: () => Outcome): void => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve(late()), ms);
      };
      const end = (result: Outcome): void => (clearTimeout(timer), resolve(result));
      const onExit = (): void => end(failure ?? { kind: 'broken', message: this.#stderr });
      host.once('exit', onExit);
      host.on('message', (response: HostMessage) => {
        if (response.kind === 'file') {
          current = response.file;
          within(limitOf(current), () => failure ?? { kind: 'stuck', file: current });
        } else if (response.kind === 'failed') {
          failure ??= response;
          within(GRACE_MS, () => failure ?? { kind: 'stuck', file: current });
        } else if (response.kind === 'done') end(failure ?? { kind: 'passed' });
        else if (response.kind === 'broken') end(failure ?? response);
        if (response.kind === 'done') this.#isIdle = true;
      });
      host.send({ ...question, changed: [...this.#stale.splice(0), ...question.changed] });
    });
    host.removeAllListeners();
    if (!this.#isIdle) await this.stop();
    return outcome;
  }

  /** Makes the next run read a file again. */
  drop(file: string): void {
    this.#stale.push(file);
  }

  get isStopped(): boolean {
    return this.#host === null;
  }

  /** Ends the host with all that it has started. */
  async stop(): Promise<void> {
    const host = this.#host;
    this.#host = null;
    if (host?.pid === undefined || host.exitCode !== null || host.signalCode !== null) return;
    const gone = new Promise((resolve) => host.once('exit', resolve));
    process.kill(-host.pid, 'SIGKILL');
    await gone;
  }

  async #start(): Promise<ChildProcess> {
    this.#isIdle = false;
    if (this.#host !== null && this.#host.exitCode === null && this.#host.signalCode === null) return this.#host;
    this.#stderr = '';
    const host = fork(path.join(ROOT, 'dev/mutants/host.ts'), {
      cwd: this.#tree,
      execArgv: [],
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // A group of its own: with it go its workers, their servers and the sandbox chain.
      detached: true,
    });
    host.stderr?.on('data', (data: Buffer) => (this.#stderr = (this.#stderr + data).slice(-MOST_STDERR)));
    this.#host = host;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Vitest did not start')), START_TIMEOUT_MS);
      host.once('exit', () => reject(new Error(`Vitest did not start: ${this.#stderr}`)));
      host.once('message', (response: HostMessage) => {
        clearTimeout(timer);
        if (response.kind === 'ready') this.#tests = response.tests;
        resolve();
      });
    });
    host.removeAllListeners();
    return host;
  }
}
