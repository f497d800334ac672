import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import path from 'node:path';
import { ROOT } from './report.ts';

export interface ProgramResult {
  code: number;
  output: string;
}

export interface ProgramOptions {
  env?: NodeJS.ProcessEnv;
  show?: boolean;
  timeoutMs?: number;
  graceMs?: number;
  /**
   * Writes what the program reads on stdin, which is empty otherwise. A write resolves when there is room for more, and has no effect when
   * the program has ended. When it rejects, the program is killed.
   */
  input?: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;
  niceness?: number;
}

const SHOWN = ['inherit', 'inherit'] as const;
const CAUGHT = ['pipe', 'pipe'] as const;
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const GRACE_MS = 20_000;
const running = new Set<ChildProcess>();
let hooked = false;

export const BIN = path.join(ROOT, 'node_modules', '.bin');

/** Programs of packages run in our own Node, by their whole path: PATH names no folder that has a colon in its name. */
export function programOf(command: string): [program: string, ...first: string[]] {
  if (command === 'node') return [process.execPath];
  const script = path.join(BIN, command);
  return existsSync(script) ? [process.execPath, script] : [command];
}

/** Runs a program to its end; one of node_modules/.bin by its bare name. A missing program has exit code 127. */
export async function run(command: string, args: string[], options: ProgramOptions = {}): Promise<ProgramResult> {
  endWithUs();
  const [program, ...first] = programOf(command);
  const child = spawn(program, [...first, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      PATH: [path.dirname(process.execPath), BIN, process.env.PATH].join(path.delimiter),
      ...options.env,
    },
    stdio: [options.input ? 'pipe' : 'ignore', ...(options.show === true ? SHOWN : CAUGHT)],
  });
  const ended = endOf(child, options);
  if (options.input) await writeInput(child, options.input);
  return ended;
}

function endOf(child: ChildProcess, options: ProgramOptions): Promise<ProgramResult> {
  return new Promise((resolve) => {
    running.add(child);
    if (options.niceness !== undefined && child.pid !== undefined) lowerPriority(child.pid, options.niceness);
    let timedOut = false;
    let timer = setTimeout(() => {
      timedOut = child.kill('SIGTERM');
      timer = setTimeout(() => child.kill('SIGKILL'), options.graceMs ?? GRACE_MS);
    }, options.timeoutMs ?? NO_TIMEOUT_MS);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => (output += data.toString()));
    child.once('error', (error) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code: 127, output: error.message });
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code: timedOut ? 124 : (code ?? 1), output });
    });
  });
}

async function writeInput(child: ChildProcess, input: NonNullable<ProgramOptions['input']>): Promise<void> {
  const { stdin } = child;
  let isOpen = stdin !== null;
  let proceed: () => void = () => undefined;
  const onEnd = (): void => {
    isOpen = false;
    proceed();
  };
  stdin
    ?.on('drain', () => proceed())
    .on('error', onEnd)
    .on('close', onEnd);
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!isOpen || stdin?.write(bytes) !== false) return;
    await new Promise<void>((resolve) => (proceed = resolve));
  };
  try {
    await input(write);
    stdin?.end();
  } catch {
    child.kill('SIGKILL');
  }
}

function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has ended, or has a lower priority already.
  }
}

/** A program must not outlive the task: not after a Ctrl-C, not after the death of run.mjs. */
function endWithUs(): void {
  if (hooked) return;
  hooked = true;
  const endAll = (): void => {
    for (const child of running) child.kill('SIGTERM');
  };
  process.on('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A task that starts servers stops them in order.
    if (process.listenerCount(signal) === 0) process.on(signal, () => process.exit(130));
  }
  if (process.connected) process.on('disconnect', () => process.exit(1));
  // Listening for that must not keep a finished task alive. A process that waits for messages, such as a test's worker,
  // is not finished.
  if (process.listenerCount('message') === 0) process.channel?.unref();
}
