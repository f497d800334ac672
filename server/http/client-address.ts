import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/** A client that hung up before its request was handled has no address any more; nobody reads the response. */
const GONE = 'gone';

/** What limits count a client by: its IPv4 address, or the network of its IPv6 address. */
export function clientAddress(request: Pick<FastifyRequest, 'ip'>): string {
  const ip: string | undefined = request.ip;
  return ip === undefined ? GONE : normalizeIP(ip);
}
