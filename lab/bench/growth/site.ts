import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { composeServices } from '#server/compose.ts';
import { readChainId } from '#server/kit/chain-id.ts';
import { readConfig } from '#server/kit/config.ts';
import { createLog } from '#server/kit/http/log.ts';
import type { Services } from '#server/kit/services.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from '../../settings.ts';
import type { Owner } from '../../stack.ts';

const CONNECTIONS = 6;

export interface Site {
  services: Services;
  app: FastifyInstance;
}

/**
 * A server in this process. Jobs run only when they are called. The cache is off, so that each read asks the database, and votes can be
 * counted and published at once.
 */
export async function openSite(owner: Owner, databaseUrl: string, rpcUrl: string): Promise<Site> {
  const config = readConfig({
    ...process.env,
    ...serverSettings(databaseUrl, { rpcUrl }),
    ...WITHOUT_RATE_LIMITS,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    LOG_PRIVATE_KEY: randomBytes(32).toString('base64'),
  });
  const { services: composed, close } = await composeServices(config, {
    log: createLog(config, { write: () => undefined }),
    undoWindowMs: 0,
    maxConnections: CONNECTIONS,
  });
  await owner.atEnd(close);
  composed.chainId = await readChainId(composed.sui, config.network);
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
