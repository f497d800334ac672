import type { FastifyInstance } from 'fastify';
import { MAX_ADD_CHECKPOINT_BYTES, SIZE_CONTENT_TYPE } from '#record/log/add-checkpoint.ts';
import { createBuckets } from '#server/kit/http/buckets.ts';
import { clientAddress } from '#server/kit/http/client-address.ts';
import { rateLimited } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { createWitness } from './add-checkpoint.ts';
import { WITNESS_PATH, witnessOf } from './key.ts';

/** Bytes of long requests that an address may send in a minute; those of a log with few signatures are short, and free. */
const LONG_BYTES_PER_MINUTE = 10 * MAX_ADD_CHECKPOINT_BYTES;
const SHORT_BYTES = 8 * 1024;

export async function mountWitness(app: FastifyInstance, { db, config, log }: Services): Promise<void> {
  const signer = witnessOf(config);
  if (!signer) return;
  const witness = createWitness({ db, witness: signer, logs: config.witnessLogs });
  const long = createBuckets({ perSecond: LONG_BYTES_PER_MINUTE / 60, most: LONG_BYTES_PER_MINUTE });
  let isWaitLogged = false;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      `${WITNESS_PATH}/add-checkpoint`,
      { compress: false, bodyLimit: MAX_ADD_CHECKPOINT_BYTES },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        const waitMs = body.length > SHORT_BYTES ? long.take(clientAddress(request), body.length) : 0;
        if (waitMs > 0) throw rateLimited(waitMs);
        const response = await witness.addCheckpoint(body);
        if (response.status === 503 && !isWaitLogged) {
          log.warn(
            'the witness waits: the database was restored, and may lack what it cosigned (docs/operate/backup.md)',
          );
          isWaitLogged = true;
        }
        reply.header('Cache-Control', 'no-store').code(response.status);
        if (response.status === 409) return reply.type(SIZE_CONTENT_TYPE).send(`${response.size}\n`);
        reply.type('text/plain; charset=utf-8');
        return reply.send(response.status === 200 ? response.line : `${response.message}\n`);
      },
    );
  });
}
