import type { FastifyInstance } from 'fastify';
import type { Services } from '#server/kit/services.ts';
import { toText } from './families.ts';
import { connectToRelay, RELAYED } from './gather.ts';
import { createOwnFamilies } from './own.ts';
import { createSharedFamilies } from './shared.ts';

export function createMetrics(app: FastifyInstance, services: Services): () => Promise<string> {
  const own = createOwnFamilies(app, services);
  const shared = createSharedFamilies(services);
  const relayed = process.argv.includes(RELAYED) ? connectToRelay(own) : null;
  if (relayed) app.addHook('onClose', () => relayed.leave());
  const gather = relayed?.gather ?? (async () => [await own()]);
  return async () => {
    const [processes, common] = await Promise.all([gather(), shared()]);
    return toText([...processes, common]);
  };
}
