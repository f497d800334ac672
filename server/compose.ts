import { openDatabase } from '#db/client.ts';
import { findWriteObstacle } from '#db/write-obstacle.ts';
import { UNDO_GRACE_MS, UNDO_WINDOW_MS } from '#shared/constants.ts';
import { createEventCounter } from './figures/insights/event-counter.ts';
import { createNetworkNotes } from './figures/standing/networks.ts';
import { jobs } from './jobs.ts';
import { type Cache, createCache } from './kit/cache/cache.ts';
import { createChainStatus } from './chain/chain-status.ts';
import type { Config } from './kit/config.ts';
import { createRefreshed } from './kit/refreshed.ts';
import { replicaOf } from './kit/replica.ts';
import type { Services } from './kit/services.ts';
import { openSui } from './chain/sui-client.ts';
import { createFeed } from './listings/projects/feed.ts';
import { termsVersion } from './site/legal/terms-version.ts';
import { type EngineOptions, createVoteEngine } from './voting/votes/engine.ts';

export interface ComposeOptions {
  log: Services['log'];
  cache?: Cache;
  engine?: EngineOptions;
  undoWindowMs?: number;
  /** Size of the pool; by default the one of the settings. */
  maxConnections?: number;
  statementTimeoutMs?: number;
  /** How often networks and events are stored; 0: only when asked. */
  notesIntervalMs?: number;
}

export interface Composed {
  services: Services;
  /** Stores what is only in memory and closes all connections; after the HTTP side and the jobs have ended. */
  close(): Promise<void>;
}

/** Each probe is a small write. */
const WRITE_PROBE = { freshMs: 30_000, patienceMs: 500 };

/** All services of one server. Nothing is asked of the database or the chain yet: `chainId` is null. */
export async function composeServices(config: Config, options: ComposeOptions): Promise<Composed> {
  const { log, cache = createCache() } = options;
  const interval = options.notesIntervalMs === undefined ? {} : { intervalMs: options.notesIntervalMs };
  const failed = (message: string) => (err: unknown) => log.error({ err }, message);
  const { pool, db, ...database } = openDatabase(config.databaseUrl, {
    maxConnections: options.maxConnections ?? config.databasePool,
    isPooled: config.isPooled,
    ...(options.statementTimeoutMs === undefined ? {} : { statementTimeoutMs: options.statementTimeoutMs }),
    onError: (error) => log.error({ err: error }, 'database'),
  });
  const { sui, calls: chainCalls, expectChain } = openSui(config);
  const votes = createVoteEngine(pool, { onError: failed('votes could not be counted'), ...options.engine });
  const networks = createNetworkNotes(db, { onError: failed('networks of voters could not be stored'), ...interval });
  const events = createEventCounter(db, { onError: failed('views of projects could not be stored'), ...interval });
  const replica = replicaOf({ config, primary: pool, cache, log: (line) => log.warn(line) });
  const reads = { db, replica: replica?.db ?? db, pool, cache };
  const services: Services = {
    config,
    termsVersion: termsVersion(config),
    ...reads,
    sui,
    chainStatus: createChainStatus(sui, { chainId: () => services.chainId }),
    chainCalls,
    writeObstacle: createRefreshed<string | null>(null, () => findWriteObstacle(db), WRITE_PROBE),
    votes,
    undoWindowMs: options.undoWindowMs ?? UNDO_WINDOW_MS + UNDO_GRACE_MS,
    networks,
    events,
    feed: createFeed(reads),
    chainId: null,
    jobs,
    log,
  };
  expectChain(() => services.chainId);
  return {
    services,
    async close() {
      await votes.close();
      await networks.close();
      await events.close();
      await replica?.close();
      await database.close();
    },
  };
}
