import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#ops/postgres/embedded.ts';
import { migrate } from '#db/migrate.ts';
import type { Child } from '#ops/process/children.ts';
import type { Lifecycle } from '#ops/process/lifecycle.ts';
import { ROOT } from '#ops/process/report.ts';
import { forkServer } from '#ops/serve/server.ts';
import { WITHOUT_RATE_LIMITS } from '../start/without-rate-limits.ts';

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
export async function startDatabase(lifecycle: Lifecycle): Promise<BenchDatabase> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-bench-'));
  await lifecycle.own(Promise.resolve({ stop: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }));
  const database = await lifecycle.own(
    startEmbeddedPostgres({ dataDir: path.join(folder, 'postgres'), settings: SETTINGS }),
  );
  await migrate(database.url);
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  await lifecycle.own(Promise.resolve({ stop: () => client.end() }));
  await client.query(await readFile(path.join(ROOT, 'lab/bench', 'reference.sql'), 'utf8'));
  // The hourly comparison of all books is not part of the measurement.
  await client.query(`INSERT INTO job_runs (name, started_at) VALUES ('check-invariants', now() + interval '1 day')`);
  return {
    url: database.url,
    client,
    async delayFlush(ms) {
      // The leader of a group commit waits this long before it flushes; with commit_siblings at 0, it always does.
      await client.query(`ALTER SYSTEM SET commit_delay = ${Math.round(ms * 1000)}`);
      await client.query('ALTER SYSTEM SET commit_siblings = 0');
      await client.query('SELECT pg_reload_conf()');
    },
  };
}

export interface BenchServer {
  url: string;
  stop(): Promise<void>;
  /** Peak memory of any of its processes, in MB. */
  peakMemoryMb(): Promise<number>;
}

/**
 * A server as in production, without the log of every request and the limit of writes per address: one process, or
 * several on one port.
 */
export async function startServer(
  lifecycle: Lifecycle,
  databaseUrl: string,
  processes = 1,
  settings: NodeJS.ProcessEnv = {},
): Promise<BenchServer> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    HOST: '127.0.0.1',
    PUBLIC_ORIGIN: 'http://localhost',
    DATABASE_URL: databaseUrl,
    SUI_NETWORK: 'localnet',
    // No vote uses the chain; nothing listens there.
    SUI_RPC_URL: 'http://127.0.0.1:9',
    ADMIN_WALLET: `0x${'1'.repeat(64)}`,
    ADMIN_PASSWORD: 'snapswipe-bench',
    ...WITHOUT_RATE_LIMITS,
    ...settings,
  };
  const launch = (port: string): Promise<Child> =>
    lifecycle.own(
      forkServer({ env: { ...env, PORT: port }, args: processes > 1 ? ['--share-port'] : [], quiet: true }),
    );
  const children = [await launch('0')];
  const url = String(children[0]?.ready.url);
  while (children.length < processes) children.push(await launch(new URL(url).port));
  return {
    url,
    stop: async () => void (await Promise.all(children.map((child) => child.stop()))),
    peakMemoryMb: async () => Math.max(...(await Promise.all(children.map(({ pid }) => peakMemoryMb(pid))))),
  };
}

async function peakMemoryMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
