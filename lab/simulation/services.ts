import { openDatabase } from '#db/client.ts';
import { createCache } from '#server/cache/cache.ts';
import { createChainStatus } from '#server/chain-status.ts';
import { readConfig } from '#server/config.ts';
import { createEventCounter } from '#server/insights/event-counter.ts';
import { createFeed } from '#server/projects/feed.ts';
import type { Services } from '#server/services.ts';
import { createNetworkNotes } from '#server/standing/networks.ts';
import { openSui } from '#server/sui-client.ts';
import { createVoteEngine } from '#server/votes/engine.ts';
import { serverSettings } from '../settings.ts';
import { termsVersion } from '#server/legal/terms-version.ts';

/** A statement on a crowd may take long on a busy machine. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

export interface SimulatedServer {
  services: Services;
  close(): Promise<void>;
}

/** A server's services on a database, without a server: no page, no chain, nothing cached. */
export function openServices(databaseUrl: string): SimulatedServer {
  const config = readConfig(serverSettings(databaseUrl));
  const database = openDatabase(databaseUrl, { maxConnections: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const { sui, calls: chainCalls } = openSui(config);
  const cache = createCache();
  const reads = { db: database.db, replica: database.db, pool: database.pool, cache };
  const votes = createVoteEngine(database.pool);
  const silent = () => undefined;
  const services: Services = {
    config,
    termsVersion: termsVersion(config),
    ...reads,
    sui,
    chainStatus: createChainStatus(sui),
    chainCalls,
    votes,
    undoWindowMs: 0,
    networks: createNetworkNotes(database.db, { intervalMs: 0 }),
    events: createEventCounter(database.db, { intervalMs: 0 }),
    feed: createFeed(reads),
    chainId: null,
    tracing: null,
    log: { info: silent, warn: silent, error: silent },
  };
  return {
    services,
    async close() {
      await votes.close();
      await database.close();
    },
  };
}
