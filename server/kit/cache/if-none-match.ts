import type { FastifyInstance, FastifyRequest } from 'fastify';

const ENTITY_TAG = /(?:W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
const ENTITY_TAGS = /^[\t ,]*(?:W\/)?"[^"]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[^"]*")*[\t ,]*$/;
/** Apache's mod_deflate and mod_brotli add it to the tag of what they compress, and send it back. No tag of ours ends like this. */
const ADDED_BY_PROXY = /-(?:gzip|br)$/;

const opaqueOf = (etag: string): string => etag.slice(etag.indexOf('"') + 1, -1);

/** The one comparison of If-None-Match (RFC 9110, 13.1.2): weak, `*` for any representation. A malformed list matches nothing. */
export function isKnown({ headers }: Pick<FastifyRequest, 'headers'>, etag: string | null): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  if (known === etag || known.trim() === '*') return true;
  if (etag === null || !ENTITY_TAGS.test(known)) return false;
  const opaque = opaqueOf(etag);
  for (const [, tag = ''] of known.matchAll(ENTITY_TAG))
    if (tag === opaque || tag.replace(ADDED_BY_PROXY, '') === opaque) return true;
  return false;
}

const READS = new Set(['GET', 'HEAD']);
/** Headers that describe a body, which a 304 does not have. */
const OF_BODY = ['content-type', 'content-length', 'content-encoding', 'content-disposition', 'last-modified'];

/** Turns the response of any route into 304 for a client that has it already. */
export function sendKnownAsNotModified(app: FastifyInstance): void {
  // Not async: a promise costs more than the work.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.headers['if-none-match'] === undefined) return done();
    if (reply.statusCode !== 200 || !READS.has(request.method)) return done();
    const etag = reply.getHeader('etag');
    if (!isKnown(request, typeof etag === 'string' ? etag : null)) return done();
    if (payload instanceof Object && 'destroy' in payload && typeof payload.destroy === 'function') payload.destroy();
    for (const name of OF_BODY) reply.removeHeader(name);
    reply.code(304);
    done(null, null);
  });
}
