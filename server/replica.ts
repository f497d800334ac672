import type pg from 'pg';
import { openReplica, type Replica } from '#db/replica.ts';
import type { Config } from './config.ts';

/** The replica of the settings, if there is one; `log` gets a line when reads begin or cease to go there. */
export function replicaOf(config: Config, primary: pg.Pool, log: (line: string) => void): Replica | null {
  if (config.databaseReplicaUrl === null) return null;
  return openReplica(config.databaseReplicaUrl, {
    primary,
    maxConnections: config.databasePool,
    isPooled: config.isPooled,
    onChange: (inUse, reason) =>
      log(inUse ? 'public lists are read from the replica' : `public lists are read from the primary: ${reason}`),
  });
}
