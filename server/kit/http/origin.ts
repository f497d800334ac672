import type { FastifyRequest } from 'fastify';
import { type HttpError, forbidden } from './errors.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The rejection of a write that a browser sends on behalf of another site (R5), or null. Browsers send Sec-Fetch-Site or Origin with every
 * write; a client that sends neither is not a browser and carries no cookie that it was not given.
 */
export function foreignOrigin(request: FastifyRequest, publicOrigin: string): HttpError | null {
  if (READS.has(request.method)) return null;
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const isForeign =
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (origin !== undefined && origin !== publicOrigin && (!URL.canParse(origin) || new URL(origin).host !== host));
  return isForeign ? forbidden('foreign_origin', 'Requests from other sites are not allowed') : null;
}
