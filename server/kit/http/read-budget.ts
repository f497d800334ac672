import type { FastifyRequest } from 'fastify';
import { createBuckets } from './buckets.ts';
import { clientAddress } from './client-address.ts';
import { rateLimited } from './errors.ts';

/** Cost of reads, in milliseconds of one core, rounded up. A response from memory, and a 304, cost nothing: people poll. */
const READ_COST = {
  free: 0,
  small: 1,
  list: 3,
  page: 4,
  long: 10,
  sitemap: 20,
  card: 150,
} as const;
/** Cost of a challenge, and of its signature: thirty people behind one address may sign in at once. */
export const SIGN_IN_COST = 25;
type Unit = keyof typeof READ_COST;
/** One read, or several of the same in one call. */
export type Cost = Unit | { each: Unit; times: number };

const BURST = 1 / 4;

interface ReadBudget {
  /** Takes a cost from its client: a session, else an address; a negative one gives back. @throws 429 when there is nothing left. */
  charge(request: FastifyRequest, userId: number | null, cost: number): void;
  size(): number;
}

declare module 'fastify' {
  interface FastifyInstance {
    readBudget: ReadBudget;
  }
}

export function charged<T>(request: FastifyRequest, userId: number | null, cost: Cost, read: () => T): T {
  const { each, times } = typeof cost === 'string' ? { each: cost, times: 1 } : cost;
  if (each !== 'free') request.server.readBudget.charge(request, userId, READ_COST[each] * times);
  return read();
}

export function createReadBudget(unitsPerMinute: number, now?: () => number): ReadBudget {
  // The most expensive read has to fit in, however small the budget.
  const most = Math.max(unitsPerMinute * BURST, READ_COST.card);
  const buckets = createBuckets({ perSecond: unitsPerMinute / 60, most }, now);
  return {
    charge(request, userId, cost) {
      const waitMs = buckets.take(userId === null ? clientAddress(request) : `user ${userId}`, cost);
      if (waitMs > 0) throw rateLimited(waitMs);
    },
    size: buckets.size,
  };
}
