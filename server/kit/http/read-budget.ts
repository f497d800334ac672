import type { FastifyRequest } from 'fastify';
import { createBuckets } from './buckets.ts';
import { clientAddress } from './client-address.ts';
import { rateLimited } from './errors.ts';

/** Cost of reads, in milliseconds of one core, rounded up. A response from memory, and a 304, cost nothing: people poll. */
export const READ_COST = {
  free: 0,
  /** A row or two by key, or a picture. */
  small: 1,
  /** A page of a list. */
  list: 3,
  /** A page drawn by the server. */
  page: 4,
  /** A list that is not cached, of any length. */
  long: 10,
  /** Everything that is listed, for search engines. */
  sitemap: 20,
  /** A share card that has to be drawn. */
  card: 150,
} as const;
export type Cost = keyof typeof READ_COST;

/** How much of a minute's budget may be used at once. */
const BURST = 1 / 4;

export interface ReadBudget {
  /** Takes what a read costs from its client: a session, else an address. @throws 429 when there is nothing left. */
  charge(request: FastifyRequest, userId: number | null, cost: number): void;
  /** How many clients are tracked. */
  size(): number;
}

declare module 'fastify' {
  interface FastifyInstance {
    readBudget: ReadBudget;
  }
}

/** Reads at its client's cost. @throws 429 when there is nothing left */
export function charged<T>(request: FastifyRequest, userId: number | null, cost: Cost, read: () => T): T {
  if (cost !== 'free') request.server.readBudget.charge(request, userId, READ_COST[cost]);
  return read();
}

/** Budget for the reads of a client. */
export function createReadBudget(unitsPerMinute: number, now = () => Date.now()): ReadBudget {
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
