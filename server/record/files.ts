import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { parsePath } from '#record/log/tiles.ts';
import { allowEverySite } from '#server/kit/http/cors.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { charged } from '#server/kit/http/read-budget.ts';
import type { Services } from '#server/kit/services.ts';
import { cosignedNote } from './cosign.ts';
import { decompress } from './writer.ts';

const PREFIX = '/log/';
const CHECKPOINT_MAX_AGE_S = 5;
const VOTES_PATH = /^votes\/\d{4}-\d\d-\d\d$/;

function notInLog(reply: FastifyReply) {
  reply.header('Cache-Control', 'no-store');
  return notFound('not_in_log', 'The log has no such file');
}

const takesGzip = (accepted = ''): boolean => /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted);

/** The files of the log, as C2SP tlog-tiles defines them: everything except the checkpoint never changes. */
export function mountLog(app: FastifyInstance, { replica: db }: Services): void {
  async function sendCheckpoint(reply: FastifyReply) {
    const newest = await db
      .selectFrom('logCheckpoints as c')
      .select(cosignedNote.as('note'))
      .orderBy('c.size', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!newest) throw notInLog(reply);
    reply.header('Cache-Control', `public, max-age=${CHECKPOINT_MAX_AGE_S}`);
    return reply.type('text/plain; charset=utf-8').send(newest.note);
  }

  app.get('/log/*', { compress: false }, async (request, reply) => {
    allowEverySite(reply);
    // The path as sent, including a query: to caches, any other spelling would be a different resource.
    const path = request.originalUrl.slice(PREFIX.length);
    const isVotes = VOTES_PATH.test(path);
    const file = isVotes ? null : parsePath(path);
    if (!file && !isVotes && path !== 'checkpoint') throw notInLog(reply);
    if (!file && !isVotes) return charged(request, null, 'small', () => sendCheckpoint(reply));
    const stored = await charged(request, null, isVotes ? 'page' : 'small', () =>
      db.selectFrom('logFiles').select('bytes').where('path', '=', path).executeTakeFirst(),
    );
    if (!stored) throw notInLog(reply);
    const isBundle = isVotes || file?.level === 'entries';
    const isCompressed = isBundle && takesGzip(request.headers['accept-encoding']);
    if (isBundle) reply.header('Vary', 'Accept-Encoding');
    // Each encoding is a separate representation (RFC 9110, section 8.8.1).
    const etag = `"${path}${isCompressed ? '.gz' : ''}"`;
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').header('ETag', etag);
    reply.type(isVotes ? 'text/csv; charset=utf-8' : 'application/octet-stream');
    if (isVotes) reply.header('Content-Disposition', `attachment; filename="snapswipe-${path.replace('/', '-')}.csv"`);
    if (!isBundle) return reply.send(stored.bytes);
    // The votes of a day may be many: they are unpacked as they are sent.
    if (!isCompressed && isVotes) return reply.send(Readable.from([stored.bytes]).pipe(createGunzip()));
    if (!isCompressed) return reply.send(await decompress(stored.bytes));
    return reply.header('Content-Encoding', 'gzip').send(stored.bytes);
  });
}
