import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { clientAddress } from '#server/kit/http/client-address.ts';
import type { Visitor } from '#server/kit/services.ts';

const MAX_CHARS = 400;
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

function isFetchedAhead(headers: IncomingHttpHeaders): boolean {
  return AHEAD.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')));
}

/** Null for bots and for prefetches of browsers (R50). */
export function visitorOf(request: FastifyRequest): Visitor | null {
  const userAgent = request.headers['user-agent']?.slice(0, MAX_CHARS) ?? '';
  if (userAgent === '' || isbot(userAgent) || isFetchedAhead(request.headers)) return null;
  return { address: clientAddress(request), browser: userAgent };
}
