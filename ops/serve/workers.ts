/**
 * Server processes that share one port by SO_REUSEPORT (Linux only): the kernel distributes connections, and a killed
 * worker loses only its own connections. Two servers on one port do not collide, so the start looks for a listener
 * first. Rejected: node:cluster. Its parent passes each connection on; a connection that is being passed to a killed
 * worker stays open, and the client waits in vain.
 */
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HAND_OVER, LEAVE } from '#server/kit/hand-over.ts';
import type { Child, ForkedChild, Handle } from '../process/children.ts';
import type { Stoppable } from '../process/lifecycle.ts';
import { AlreadyReported, messageOf } from '../process/report.ts';
import { createMetricsRelay } from './metrics-relay.ts';
import { forkServer } from './server.ts';

const MOST_WORKERS = 64;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that ran this long counts as healthy: its end starts a new count. */
const STEADY_MS = 60_000;

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

interface WorkersOptions {
  count: number;
  env: NodeJS.ProcessEnv;
  releases?: string | undefined;
}

export interface Workers extends Stoppable {
  ready: Child['ready'];
  /**
   * Replaces each process with a new one that has the present code and settings, one after the other. No request fails:
   * each new one takes over the socket before the old one stops accepting (decision 36).
   * @throws Error when one does not start; it and those after it are not replaced then.
   */
  replace(env: NodeJS.ProcessEnv): Promise<void>;
}

/** The slot of one worker. Empty between its end and its next start. */
interface Place {
  worker: ForkedChild | null;
}

/** @throws Error when one does not start initially; the others are stopped then */
export async function startWorkers({ count, env: firstEnv, releases }: WorkersOptions): Promise<Workers> {
  if (count > 1 && os.platform() !== 'linux')
    throw new Error('--workers needs Linux: elsewhere, run servers on several ports.');
  const living = new Set<ForkedChild>();
  const ending = new AbortController();
  const relay = createMetricsRelay();
  let env = firstEnv;
  const launch = async (port: string, listener?: Handle): Promise<ForkedChild> => {
    const worker = await forkServer({
      name: count > 1 ? 'A worker' : 'The server',
      env: { ...env, PORT: port, WORKERS: String(count) },
      args: [...(count > 1 ? ['--share-port'] : []), ...(releases === undefined ? [] : [`--dist=${releases}`])],
      listener,
      relay,
    });
    living.add(worker);
    void worker.exited.then(() => living.delete(worker));
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
    // The first one alone: it finds the port, and an error at its start would stop all of them, and is reported once.
    const first = await launch(env.PORT ?? '');
    const { port } = new URL(String(first.ready.url));
    const others = await Promise.all(Array.from({ length: count - 1 }, () => launch(port)));
    const places: Place[] = [first, ...others].map((worker) => ({ worker }));
    for (const place of places) keepers.push(keepRunning(place, () => launch(port), ending.signal));
    return {
      ready: first.ready,
      stop,
      kill() {
        ending.abort();
        for (const worker of living) worker.kill?.();
      },
      async replace(nextEnv) {
        const envBefore = env;
        env = nextEnv;
        try {
          for (const place of places) {
            if (ending.signal.aborted) return;
            await replaceWorker(place, (listener) => launch(port, listener));
          }
        } catch (error) {
          env = envBefore;
          throw error;
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Both accept connections from one socket until the old worker has to stop. The keeper of a slot fills it when it
 * is empty.
 */
async function replaceWorker(place: Place, launch: (listener: Handle) => Promise<ForkedChild>): Promise<void> {
  const old = place.worker;
  if (old === null) return;
  const listener = await old.askForHandle(HAND_OVER);
  try {
    const next = await launch(listener);
    // The old worker or, if it has ended by now, the one that its keeper has started.
    place.worker?.send(LEAVE);
    place.worker = next;
  } finally {
    listener.close();
  }
}

async function keepRunning(place: Place, launch: () => Promise<ForkedChild>, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const { worker } = place;
    const sinceMs = performance.now();
    const why = await worker?.exited;
    if (place.worker !== worker) continue;
    place.worker = null;
    if (performance.now() - sinceMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
    if (why !== undefined && !signal.aborted)
      console.error(`${why}, pid ${worker?.pid}; starting another in ${pauseMs / 1000} s`);
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    if (place.worker !== null) continue;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    const next = await launch().catch((error: unknown) => {
      const reason = error instanceof AlreadyReported ? '' : ` (${messageOf(error)})`;
      if (!signal.aborted) console.error(`A worker did not start${reason}; trying again in ${pauseMs / 1000} s`);
      return null;
    });
    if (place.worker !== null) {
      next?.send(LEAVE);
      continue;
    }
    place.worker = next;
    if (next && !signal.aborted) console.error(`A worker is ready again, pid ${next.pid}`);
  }
}
