import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cache, Loaded } from '../cache/cache.ts';
import { type CachedResponse, sendCached } from '../cache/responses.ts';
import type { Tag } from '../cache/tags.ts';
import { isRefused } from './admission.ts';
import { charged, type Cost } from './read-budget.ts';

export interface MemoryRead<T> {
  key: string;
  reads: readonly Tag[];
  cost: Cost;
  load: () => Promise<Loaded<T>>;
  userId?: number | null;
}

export function fromMemory<T>(
  cache: Cache,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, reads, cost, load, userId = null }: MemoryRead<T>,
): T | Promise<T> | undefined {
  const known = cache.getCached(key) as T | undefined;
  if (known !== undefined) return known;
  if (request.routeOptions.config.kind === 'memory' && isRefused('read', request, reply)) return undefined;
  return charged(request, userId, cost, () => cache.getOrLoad(key, reads, load));
}

export function sendFromMemory(
  cache: Cache,
  request: FastifyRequest,
  reply: FastifyReply,
  read: MemoryRead<CachedResponse>,
): Promise<FastifyReply> | undefined {
  const found = fromMemory(cache, request, reply, read);
  if (found instanceof Promise) return found.then((response) => sendCached(request, reply, response));
  // Nothing is returned: a reply is a promise, on which the framework would wait.
  if (found) sendCached(request, reply, found);
  return undefined;
}
