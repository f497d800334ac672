import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** A client that hung up before its request was handled has no address; its response is never read. */
const GONE = 'gone';

/** Limits count a client by its IPv4 address, or by the network of its IPv6 address. */
export function clientAddress(request: Pick<FastifyRequest, 'ip'>): string {
  const ip: string | undefined = request.ip;
  if (ip === undefined) return GONE;
  // Every write asks, and the library tries a long pattern to know what the colons say.
  return ip.includes(':') ? normalizeIP(ip) : ip.toLowerCase();
}
