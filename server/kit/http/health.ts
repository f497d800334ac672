import type { FastifyInstance } from 'fastify';
import { answersAsOurs } from '#db/client.ts';
import { SHED } from './admission.ts';
import type { Services } from '../services.ts';

const PATIENCE_MS = 2_000;

function createDatabaseCheck({ pool }: Services): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return () => {
    if (running) return running;
    const answered = answersAsOurs(pool).catch(() => false);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, false);
    });
    running = Promise.race([answered, late]);
    void running.then(() => clearTimeout(timer));
    void answered.then(() => (running = null));
    return running;
  };
}

const NOT_READY = { error: 'not_ready', message: 'The database does not respond' };
const BUSY = { error: 'busy', message: 'Too many requests at once' };

/**
 * GET /healthz: the process responds. GET /readyz: it can take requests, which it refuses, and whether database and chain respond; without
 * the chain it is ready, as votes need none. Both are never refused themselves.
 */
export function mountHealth(app: FastifyInstance, services: Services): void {
  const options = { logLevel: 'silent', config: { kind: 'always' } } as const;
  const isDatabaseThere = createDatabaseCheck(services);
  app.get('/healthz', options, async () => ({ ok: true }));
  app.get('/readyz', options, async (_request, reply) => {
    const level = app.admission.level();
    const refusing = SHED[level];
    if (level === 3 || services.votes.isFull()) return reply.code(503).send({ ok: false, ...BUSY, refusing });
    const [isThere, { state: chain }, obstacle] = await Promise.all([
      isDatabaseThere(),
      services.chainStatus.read(),
      services.writeObstacle(),
    ]);
    if (!isThere) return reply.code(503).send({ ok: false, ...NOT_READY, database: 'down', chain, refusing });
    // Reads continue, on every server alike.
    return { ok: true, database: obstacle === null ? 'up' : 'read only', chain, refusing };
  });
}
