import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { SHED } from './admission.ts';
import type { Services } from '../services.ts';

const PATIENCE_MS = 2_000;

/** Whether the database answers in time. However many ask, one statement at a time is on its way. */
function createDatabaseCheck({ db }: Services): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return () => {
    if (running) return running;
    const answered = sql`SELECT 1`.execute(db).then(
      () => true,
      () => false,
    );
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

/** GET /healthz: the process answers. GET /readyz: it can take requests, and which it refuses. Both are never refused themselves. */
export function mountHealth(app: FastifyInstance, services: Services): void {
  const options = { logLevel: 'silent', config: { kind: 'always' } } as const;
  const isDatabaseThere = createDatabaseCheck(services);
  app.get('/healthz', options, async () => ({ ok: true }));
  app.get('/readyz', options, async (_request, reply) => {
    const level = app.admission.level();
    if (level === 3 || services.votes.isFull())
      return reply.code(503).send({ error: 'busy', message: 'Too many requests at once', refusing: SHED[level] });
    if (await isDatabaseThere()) return { ok: true, refusing: SHED[level] };
    return reply.code(503).send({ error: 'not_ready', message: 'The database does not respond' });
  });
}
