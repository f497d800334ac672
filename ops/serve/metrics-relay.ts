/**
 * The servers of one `npm run serve` are one target of Prometheus. Rejected: a port or a label per worker (as many
 * targets or series as workers, new ones at each reload), node:cluster (see workers.ts), counters of prom-client on the
 * vote path (each count looks its labels up by text; plain numbers cost about 0.1 µs).
 */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { type Family, keepCounts } from '#ops/metrics/families.ts';
import { isMetricsMessage, type MetricsMessage } from '#ops/metrics/gather.ts';

/** A server that does not respond in time counts with its last response. */
const TIMEOUT_MS = 2_000;

interface Server {
  child: ChildProcess;
  families: Family[];
  hasEnded: boolean;
}

export interface MetricsRelay {
  add(child: ChildProcess): void;
}

/**
 * Relays the metrics of the servers of this process, so that a scrape of any of them covers all. The counts of a server
 * are kept after its end (after a kill, as of the last scrape): Prometheus would interpret a falling sum as a restart
 * of all.
 */
export function createMetricsRelay(): MetricsRelay {
  const servers = new Set<Server>();
  const waiting = new Map<string, (families: Family[]) => void>();
  let ended: Family[] = [];
  let keeping = Promise.resolve();

  async function ask(server: Server): Promise<void> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<Family[]>();
    const giveUp = (): void => resolve(server.families);
    const timer = setTimeout(giveUp, TIMEOUT_MS);
    server.child.once('disconnect', giveUp);
    waiting.set(id, resolve);
    send(server.child, { metrics: 'own', id });
    server.families = await promise;
    clearTimeout(timer);
    server.child.off('disconnect', giveUp);
    waiting.delete(id);
  }

  async function all(): Promise<Family[][]> {
    const asked = [...servers];
    await Promise.all(asked.map(ask));
    // A server that ends during the scrape is counted once: with the ended ones.
    let kept: Promise<void>;
    do await (kept = keeping);
    while (kept !== keeping);
    return [ended, ...asked.filter(({ hasEnded }) => !hasEnded).map(({ families }) => families)];
  }

  return {
    add(child) {
      const server: Server = { child, families: [], hasEnded: false };
      servers.add(server);
      child.on('message', (message) => {
        if (!isMetricsMessage(message)) return;
        if (message.families) {
          server.families = message.families[0] ?? [];
          waiting.get(message.id)?.(server.families);
        } else void all().then((families) => send(child, { ...message, families }));
      });
      // Comes after all of its messages, unlike its exit.
      child.once('disconnect', () => {
        servers.delete(server);
        server.hasEnded = true;
        keeping = keeping.then(async () => void (ended = await keepCounts([ended, server.families])));
      });
    },
  };
}

function send(child: ChildProcess, message: MetricsMessage): void {
  if (child.connected) child.send(message, () => undefined);
}
