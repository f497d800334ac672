import type { Kysely } from 'kysely';
import type { SuiGrpcClient } from '@mysten/sui/grpc';
import type pg from 'pg';
import type { DB } from '#db/schema.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Cache } from './cache/cache.ts';
import type { Config } from './config.ts';
import type { Feed } from './projects/feed.ts';
import type { VoteEngine } from './votes/engine.ts';

/** What actions work with; made once in main.ts (or by a test) and passed on, never global. */
export interface Services {
  config: Config;
  db: Kysely<DB>;
  /**
   * For reads that anybody may see: a replica, where there is one, else the same as `db`. Up to date either way (db/replica.ts),
   * but for single statements only, each of which may see what the one before did not.
   */
  replica: Kysely<DB>;
  pool: pg.Pool;
  sui: SuiGrpcClient;
  votes: VoteEngine;
  /** What this process holds in memory of the database; off until `listenForChanges` keeps it true. */
  cache: Cache;
  /** What everybody may vote on next, from memory. */
  feed: Feed;
  /** Identifier of the chain the RPC node serves; null while the node could not be asked. */
  chainId: string | null;
  /** For what happens outside of a request. */
  log: Pick<FastifyBaseLogger, 'error' | 'warn' | 'info'>;
}
