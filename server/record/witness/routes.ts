import type { FastifyInstance } from 'fastify';
import { MAX_ADD_CHECKPOINT_BYTES, SIZE_CONTENT_TYPE } from '#record/log/add-checkpoint.ts';
import type { Services } from '#server/kit/services.ts';
import { addCheckpoint } from './add-checkpoint.ts';
import { WITNESS_PATH, witnessOf } from './key.ts';

/** Logs publish once a day; a stranger's requests end at the signature, which costs less than a millisecond. */
const REQUESTS_PER_MINUTE = 60;

export async function mountWitness(app: FastifyInstance, { db, config }: Services): Promise<void> {
  const witness = witnessOf(config);
  if (!witness) return;
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    scope.post(
      `${WITNESS_PATH}/add-checkpoint`,
      {
        compress: false,
        bodyLimit: MAX_ADD_CHECKPOINT_BYTES,
        config: { rateLimit: { max: REQUESTS_PER_MINUTE, timeWindow: 60_000 } },
      },
      async (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        const response = await addCheckpoint({ db, witness, logs: config.witnessLogs }, body);
        reply.header('Cache-Control', 'no-store').code(response.status);
        if (response.status === 409) return reply.type(SIZE_CONTENT_TYPE).send(`${response.size}\n`);
        reply.type('text/plain; charset=utf-8');
        return reply.send(response.status === 200 ? response.line : `${response.message}\n`);
      },
    );
  });
}
