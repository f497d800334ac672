import type { FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.ts';
import { tooMany } from './errors.ts';

/**
 * What reads cost, in milliseconds of one core, rounded up. What is answered from memory, and a 304, costs nothing: people poll.
 */
export const READ_COST = {
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

/** How much of a minute's budget may be used at once. */
const BURST = 1 / 4;

/** Clients that are tracked; beyond that, those idle the longest start over. */
const MAX_CLIENTS = 20_000;

interface Account {
  units: number;
  atMs: number;
}

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

/** A bucket for each client that holds a part of `unitsPerMinute` and fills up evenly: a short burst is free, a stream is not. */
export function createReadBudget(unitsPerMinute: number, now = () => Date.now()): ReadBudget {
  const accounts = new Map<string, Account>();
  const perMs = unitsPerMinute / 60_000;
  // The most expensive read has to fit in, however small the budget.
  const mostUnits = Math.max(unitsPerMinute * BURST, READ_COST.card);
  return {
    charge(request, userId, cost) {
      const key = userId === null ? clientAddress(request) : `user ${userId}`;
      const atMs = now();
      const account = accounts.get(key) ?? { units: mostUnits, atMs };
      const units = Math.min(mostUnits, account.units + (atMs - account.atMs) * perMs);
      const isEnough = units >= cost;
      accounts.delete(key);
      accounts.set(key, { units: isEnough ? units - cost : units, atMs });
      if (accounts.size > MAX_CLIENTS) for (const oldest of accounts.keys()) if (accounts.delete(oldest)) break;
      if (!isEnough) {
        const waitS = Math.max(1, Math.ceil((cost - units) / perMs / 1000));
        throw tooMany('rate_limited', 'Too many requests. Please wait a moment.', waitS);
      }
    },
    size: () => accounts.size,
  };
}
