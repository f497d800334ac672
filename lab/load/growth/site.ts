import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { readChainId } from '#server/chain/chain-id.ts';
import type { Services } from '#server/kit/services.ts';
import { openServices } from '../../services.ts';
import { WITHOUT_RATE_LIMITS } from '../../settings.ts';
import type { Owner } from '../../stack.ts';

export interface Site {
  services: Services;
  app: FastifyInstance;
}

/** A server in this process. Jobs run only when they are called, and each read asks the database. */
export async function openSite(owner: Owner, databaseUrl: string, rpcUrl: string): Promise<Site> {
  const env = { ...WITHOUT_RATE_LIMITS, LOG_PRIVATE_KEY: randomBytes(32).toString('base64') };
  const { services: composed, close } = await openServices(databaseUrl, { rpcUrl }, env);
  await owner.atEnd(close);
  composed.chainId = await readChainId(composed.sui, composed.config.network);
  const services: Services = {
    ...composed,
    // Snapshots belong to one of these objects: each request gets a new one, and reads again.
    get db() {
      return composed.db.withTables();
    },
    get replica() {
      return composed.db.withTables();
    },
  };
  const app = await buildApp(services, { pressure: null, distDir: null });
  await owner.atEnd(() => app.close());
  await app.ready();
  return { services, app };
}
