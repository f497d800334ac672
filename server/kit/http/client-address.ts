import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { parseAddress } from './address.ts';

const GONE = 'gone';

export function clientAddress(request: Pick<FastifyRequest, 'ip'>): string {
  const ip: string | undefined = request.ip;
  if (ip === undefined) return GONE;
  const address = parseAddress(ip) ?? ip.toLowerCase();
  // Every write asks: without this check the library tries a long pattern on each IPv4 address.
  return address.includes(':') ? normalizeIP(address) : address;
}
