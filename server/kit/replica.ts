import type pg from 'pg';
import { openReplica, type ReadSource, type Replica } from '#db/replica.ts';
import type { Cache } from './cache/cache.ts';
import type { Config } from './config.ts';

const LINES: Record<ReadSource, (reason: string) => string> = {
  replica: () => 'public lists are read from the replica',
  primary: (reason) => `public lists are read from the primary: ${reason}`,
  'replica alone': (reason) => `public lists are read from the replica, as far as it has come: ${reason}`,
};

export interface ReplicaUse {
  config: Config;
  primary: pg.Pool;
  /** Reads of unknown age, made while no primary responded, do not stay in the cache. */
  cache: Cache;
  log: (line: string) => void;
}

export function replicaOf({ config, primary, cache, log }: ReplicaUse): Replica | null {
  if (config.databaseReplicaUrl === null) return null;
  return openReplica(config.databaseReplicaUrl, {
    primary,
    maxConnections: config.databasePool,
    isPooled: config.isPooled,
    onPrimaryBack: () => cache.invalidateAll(),
    onChange: (source, reason) => log(LINES[source](reason)),
  });
}
