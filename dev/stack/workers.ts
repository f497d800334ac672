import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../process/children.ts';
import type { Stoppable } from '../process/lifecycle.ts';
import { AlreadyReported, messageOf } from '../process/report.ts';
import { createMetricsRelay } from './metrics-relay.ts';
import { forkServer } from './server.ts';

const MOST_WORKERS = 64;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that ran this long counts as healthy: its end starts a new count. */
const STEADY_MS = 60_000;

/** How many server processes the arguments ask for: `--workers 4`, or 1. @throws Error with one clear line */
export function readWorkers(args: string[]): number {
  const [option, ...rest] = args.flatMap((arg) => (arg.startsWith('--workers=') ? arg.split('=', 2) : [arg]));
  if (option === undefined) return 1;
  if (option !== '--workers') throw new Error(`"${option}" is not known here: the one option is --workers N.`);
  const [text = '', extra] = rest;
  if (extra !== undefined) throw new Error(`"${extra}" is not known here: the one option is --workers N.`);
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_WORKERS) return count;
  throw new Error(`--workers takes a whole number from 1 to ${MOST_WORKERS}, such as --workers 2; "${text}" is none.`);
}

export interface WorkersOptions {
  count: number;
  /** Of each; together they listen on its PORT. */
  env: NodeJS.ProcessEnv;
}

export interface Workers extends Stoppable {
  /** What the first one said when it was ready. */
  ready: Child['ready'];
}

/**
 * Runs the server as several processes that listen on one port: the kernel deals the connections out among them (SO_REUSEPORT),
 * so that nothing goes through this process, and none is refused while one of them is away. (With node:cluster a connection
 * on its way to a worker that is just dying would hang.) Each knows how many they are and takes that share of the limits by address. One that ends by itself is started again, after a pause that
 * grows as long as it does not last.
 * @throws Error when one does not start to begin with; the others are stopped then.
 */
export async function startWorkers({ count, env }: WorkersOptions): Promise<Workers> {
  if (os.platform() !== 'linux') throw new Error('--workers needs Linux: elsewhere, run servers on several ports.');
  const living = new Set<Child>();
  const ending = new AbortController();
  const relay = createMetricsRelay();
  const launch = async (port: string): Promise<Child> => {
    const worker = await forkServer({
      name: 'A worker',
      env: { ...env, PORT: port, WORKERS: String(count) },
      args: ['--share-port'],
      relay,
    });
    living.add(worker);
    void worker.exited.then(() => living.delete(worker));
    // It became ready when everything was ending already.
    if (ending.signal.aborted) await worker.stop();
    return worker;
  };
  const keepers: Promise<void>[] = [];
  const stop = async (): Promise<void> => {
    ending.abort();
    await Promise.all([...living].map((worker) => worker.stop()));
    await Promise.all(keepers);
  };
  try {
    // The first one alone: it finds the port, and what keeps it from starting keeps them all, and is said once.
    const first = await launch(env.PORT ?? '');
    const { port } = new URL(String(first.ready.url));
    const others = await Promise.all(Array.from({ length: count - 1 }, () => launch(port)));
    for (const worker of [first, ...others]) keepers.push(keepRunning(worker, () => launch(port), ending.signal));
    return {
      ready: first.ready,
      stop,
      kill() {
        ending.abort();
        for (const worker of living) worker.kill?.();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a worker again whenever it ends, until the signal. */
async function keepRunning(worker: Child, launch: () => Promise<Child>, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  let current: Child | null = worker;
  while (!signal.aborted) {
    const sinceMs = performance.now();
    const why = await current?.exited;
    if (performance.now() - sinceMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
    if (why !== undefined && !signal.aborted)
      console.error(`${why}, pid ${current?.pid}; starting another in ${pauseMs / 1000} s`);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    current = await launch().catch((error: unknown) => {
      const reason = error instanceof AlreadyReported ? '' : ` (${messageOf(error)})`;
      if (!signal.aborted) console.error(`A worker did not start${reason}; trying again in ${pauseMs / 1000} s`);
      return null;
    });
    if (current && !signal.aborted) console.error(`A worker is ready again, pid ${current.pid}`);
  }
}
