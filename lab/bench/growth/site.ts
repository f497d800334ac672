import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { openDatabase } from '#db/client.ts';
import { termsVersion } from '#server/legal/terms-version.ts';
import { buildApp } from '#server/app.ts';
import { createCache } from '#server/cache/cache.ts';
import { readChainId } from '#server/chain-id.ts';
import { createChainStatus } from '#server/chain-status.ts';
import { readConfig } from '#server/config.ts';
import { createLog } from '#server/http/log.ts';
import { createEventCounter } from '#server/insights/event-counter.ts';
import { createFeed } from '#server/projects/feed.ts';
import type { Services } from '#server/services.ts';
import { createNetworkNotes } from '#server/standing/networks.ts';
import { openSui } from '#server/sui-client.ts';
import { createVoteEngine } from '#server/votes/engine.ts';
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
  const database = openDatabase(databaseUrl, { maxConnections: CONNECTIONS });
  await owner.atEnd(() => database.close());
  const { sui, calls: chainCalls } = openSui(config, null);
  const cache = createCache();
  const reads = { db: database.db, replica: database.db, pool: database.pool, cache };
  const services: Services = {
    config,
    ...reads,
    // Snapshots belong to one of these objects: each request gets a new one, and reads again.
    get db() {
      return database.db.withTables();
    },
    get replica() {
      return database.db.withTables();
    },
    sui,
    chainStatus: createChainStatus(sui, { chainId: () => services.chainId }),
    chainCalls,
    votes: createVoteEngine(database.pool),
    undoWindowMs: 0,
    networks: createNetworkNotes(database.db),
    events: createEventCounter(database.db),
    feed: createFeed(reads),
    chainId: await readChainId(sui, config.network),
    termsVersion: termsVersion(config),
    tracing: null,
    log: createLog(config, { write: () => undefined }),
  };
  await owner.atEnd(() =>
    Promise.all([services.votes, services.networks, services.events].map((each) => each.close())),
  );
  const app = await buildApp(services, { pressure: null, distDir: null });
  await owner.atEnd(() => app.close());
  await app.ready();
  return { services, app };
}
