import { randomUUID } from 'node:crypto';
import type { Family } from './families.ts';

export const RELAYED = '--metrics-relay';

/** Without `families` it is a request: of the parent for this server's, of a server for those of all. */
export interface MetricsMessage {
  metrics: 'own' | 'all';
  id: string;
  families?: Family[][];
}

export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message && 'id' in message;
}

const TIMEOUT_MS = 5_000;

interface RelayedMetrics {
  gather(): Promise<Family[][]>;
  leave(): Promise<void>;
}

export function connectToRelay(own: () => Promise<Family[]>): RelayedMetrics {
  const waiting = new Map<string, (families: Family[][]) => void>();
  process.on('message', (message) => {
    if (!isMetricsMessage(message)) return;
    if (message.families) waiting.get(message.id)?.(message.families);
    else void own().then((families) => send({ ...message, families: [families] }));
  });
  return {
    async gather() {
      const id = randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<Family[][]>();
      const timer = setTimeout(() => reject(new Error('the parent process does not respond')), TIMEOUT_MS);
      waiting.set(id, resolve);
      void send({ metrics: 'all', id });
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
    },
    leave: async () => send({ metrics: 'own', id: randomUUID(), families: [await own()] }),
  };
}

const send = (message: MetricsMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve());
    else resolve();
  });
