import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

const GONE = 'gone';

export function clientAddress(request: Pick<FastifyRequest, 'ip'>): string {
  const ip: string | undefined = request.ip;
  if (ip === undefined) return GONE;
  // Every write asks, and the library tries a long pattern to know what the colons say.
  return ip.includes(':') ? normalizeIP(ip) : ip.toLowerCase();
}
