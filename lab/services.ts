import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#server/app.ts';
import { type Composed, composeServices } from '#server/compose.ts';
import { readChainId } from '#server/chain/chain-id.ts';
import { readConfig } from '#server/kit/config.ts';
import { createLog } from '#server/kit/http/log.ts';
import type { Services } from '#server/kit/services.ts';
import { NO_CHAIN, serverSettings, WITHOUT_RATE_LIMITS } from './settings.ts';
import type { Owner } from './stack.ts';

/** A statement on a crowd may take long on a busy machine. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** A server's services in this process, without its jobs and its log. Votes are final at once. */
export function openServices(databaseUrl: string, chain = NO_CHAIN, env: NodeJS.ProcessEnv = {}): Promise<Composed> {
  const config = readConfig({ ...serverSettings(databaseUrl, chain), ...env });
  return composeServices(config, {
    log: createLog(config, { write: () => undefined }),
    undoWindowMs: 0,
    maxConnections: 4,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    notesIntervalMs: 0,
  });
}

export interface Site {
  services: Services;
  app: FastifyInstance;
}

/** A server in this process. Jobs run only when they are called, and each read asks the database. */
export async function openSite(owner: Owner, databaseUrl: string, chain: typeof NO_CHAIN): Promise<Site> {
  const env = { ...WITHOUT_RATE_LIMITS, LOG_PRIVATE_KEY: randomBytes(32).toString('base64') };
  const { services: composed, close } = await openServices(databaseUrl, chain, env);
  await owner.atEnd(close);
  composed.chainId = await readChainId(composed.sui, composed.config.network);
  const services: Services = {
    ...composed,
    // Snapshots are kept per database object: each request gets a new one, so that it reads again.
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
