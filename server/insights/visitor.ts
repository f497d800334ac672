import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { clientAddress } from '../http/client-address.ts';
import type { Visitor } from '../services.ts';

/** A browser's name fits; whatever a header claims beyond that is not read. */
const MAX_CHARS = 400;
/** How browsers say that nobody looks at what they fetch. */
const AHEAD = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

function isFetchedAhead(headers: IncomingHttpHeaders): boolean {
  return AHEAD.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')));
}

/** Whose event it is; null for bots and for what a browser fetches ahead (R50). */
export function visitorOf(request: FastifyRequest): Visitor | null {
  const userAgent = request.headers['user-agent']?.slice(0, MAX_CHARS) ?? '';
  if (userAgent === '' || isbot(userAgent) || isFetchedAhead(request.headers)) return null;
  return { address: clientAddress(request), browser: userAgent };
}
