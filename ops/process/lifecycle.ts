import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { printFailure } from './report.ts';

export interface Stoppable {
  stop(): Promise<void>;
  kill?(): void;
}

// npm and the terminal both deliver one Ctrl-C, and run.mjs passes its own on: signals this close together are the same
// key press.
const SAME_PRESS_MS = 1000;

/** Stopped in reverse order when the task ends. A second Ctrl-C kills. */
export class Lifecycle {
  #owned: { starting: Promise<Stoppable>; started: Stoppable | undefined }[] = [];
  #stoppingSinceMs: number | undefined;
  #isRunning = false;
  #onHangUp: (() => void) | undefined;

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.#onSignal(signal));
    if (process.connected) process.on('disconnect', () => void this.end(1));
  }

  async own<T extends Stoppable>(starting: Promise<T>): Promise<T> {
    const entry: { starting: Promise<Stoppable>; started: Stoppable | undefined } = { starting, started: undefined };
    this.#owned.push(entry);
    const started = await starting;
    entry.started = started;
    await this.checkpoint();
    return started;
  }

  async atEnd(stop: () => Promise<unknown>): Promise<void> {
    await this.own(Promise.resolve({ stop: async () => void (await stop()) }));
  }

  async checkpoint(): Promise<void> {
    if (this.#stoppingSinceMs !== undefined) await new Promise<never>(() => undefined);
  }

  /** From now on a Ctrl-C is the normal end, exit code 0. With `onHangUp`, SIGHUP calls it, and ends nothing. */
  running(onHangUp?: () => void): void {
    this.#isRunning = true;
    this.#onHangUp = onHangUp;
  }

  async end(code: number): Promise<never> {
    await this.checkpoint();
    this.#stoppingSinceMs = performance.now();
    for (const { starting } of this.#owned.toReversed()) {
      const started = await starting.catch(() => undefined);
      await started?.stop().catch(printFailure);
    }
    process.exit(code);
  }

  async fail(error: unknown): Promise<never> {
    if (this.#stoppingSinceMs === undefined) printFailure(error);
    return this.end(1);
  }

  #onSignal(signal: NodeJS.Signals): void {
    if (this.#stoppingSinceMs === undefined) {
      if (signal === 'SIGHUP' && this.#onHangUp && !isTerminalGone()) return this.#onHangUp();
      if (signal === 'SIGINT') console.log('\nStopping … (Ctrl-C again to stop at once)');
      void this.end(this.#isRunning ? 0 : 130);
    } else if (performance.now() - this.#stoppingSinceMs > SAME_PRESS_MS) {
      for (const { started } of this.#owned) started?.kill?.();
      process.exit(130);
    }
  }
}

/** Read at the start, because a closed terminal no longer counts as one. */
const hadTerminal = isatty(0);

function isTerminalGone(): boolean {
  if (!hadTerminal) return false;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}

export async function runWithLifecycle(task: (lifecycle: Lifecycle) => Promise<void>): Promise<void> {
  const lifecycle = new Lifecycle();
  try {
    await task(lifecycle);
  } catch (error) {
    await lifecycle.fail(error);
  }
}
