import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { ROOT } from '#ops/process/report.ts';
import { NO_CHAIN, serverSettings, WITHOUT_RATE_LIMITS } from '../settings.ts';
import { type LabServer, startDatabase, startServer } from '../stack.ts';

/** PostgreSQL settings for a small machine, the same for both sides of every comparison; safety is never reduced. */
const SETTINGS = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  min_wal_size: '3GB',
  checkpoint_timeout: '15min',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  autovacuum_naptime: '10s',
};

export interface BenchDatabase {
  url: string;
  client: pg.Client;
  /** Adds a wait to every flush of the write-ahead log, like a network volume. */
  delayFlush(ms: number): Promise<void>;
}

/** A durable database in a temporary folder, migrated, with the reference next to the product's tables. */
export async function startBenchDatabase(lifecycle: Lifecycle): Promise<BenchDatabase> {
  const { url } = await startDatabase(lifecycle, { settings: SETTINGS });
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await lifecycle.atEnd(() => client.end());
  await client.query(await readFile(path.join(ROOT, 'lab/bench', 'reference.sql'), 'utf8'));
  // The hourly comparison of all books is not part of the measurement.
  await client.query(`INSERT INTO job_runs (name, started_at) VALUES ('check-invariants', now() + interval '1 day')`);
  return {
    url,
    client,
    async delayFlush(ms) {
      // The leader of a group commit waits this long before it flushes; with commit_siblings at 0, it always does.
      await client.query(`ALTER SYSTEM SET commit_delay = ${Math.round(ms * 1000)}`);
      await client.query('ALTER SYSTEM SET commit_siblings = 0');
      await client.query('SELECT pg_reload_conf()');
    },
  };
}

/** A server as in production, without the log of every request and the limit of writes per address. */
export function startBenchServer(
  lifecycle: Lifecycle,
  databaseUrl: string,
  processes = 1,
  settings: NodeJS.ProcessEnv = {},
): Promise<LabServer> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...serverSettings(databaseUrl, NO_CHAIN),
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    ...WITHOUT_RATE_LIMITS,
    ...settings,
  };
  return startServer(lifecycle, env, { processes });
}
