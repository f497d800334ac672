import type { FastifyRequest } from 'fastify';
import { forbidden } from './errors.ts';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that a browser sends on behalf of another site (R5). Browsers send Sec-Fetch-Site or Origin with every
 * write; a client that sends neither is no browser and carries no cookie that it was not given.
 */
export function checkOrigin(request: FastifyRequest, publicOrigin: string): void {
  if (READS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw forbidden('foreign_origin', 'Request from another site');
  const origin = request.headers.origin;
  if (origin === undefined || origin === publicOrigin) return;
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) {
    throw forbidden('foreign_origin', 'Request from another site');
  }
}
