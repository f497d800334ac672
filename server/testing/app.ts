import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { createSuiClient } from '#chain/client.ts';
import { ADVISORY_LOCKS } from '#db/advisory-locks.ts';
import { openDatabase } from '#db/client.ts';
import { createFeed } from '../projects/feed.ts';
import { replicaOf } from '../replica.ts';
import { buildApp } from '../app.ts';
import { createCache } from '../cache/cache.ts';
import { listenForChanges } from '../cache/notices.ts';
import { type Config, readConfig } from '../config.ts';
import type { Services } from '../services.ts';
import { type EngineOptions, createVoteEngine } from '../votes/engine.ts';
import { ADMIN_KEYPAIR } from './wallets.ts';

async function withAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('databaseUrl') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A fresh, migrated, empty database; dropped by `drop`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = inject('templateName');
  await withAdmin(async (client) => {
    // Copying a template wants it to itself for a moment; test files take turns.
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.testTemplate]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => withAdmin(async (client) => void (await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))),
  };
}

export interface TestApp {
  url: string;
  app: FastifyInstance;
  services: Services;
  databaseUrl: string;
  close(): Promise<void>;
}

/** Settings of a test server; `overrides` are environment variables. */
export function testConfig(databaseUrl: string, overrides: Record<string, string> = {}): Config {
  return readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    SUI_NETWORK: 'localnet',
    SUI_RPC_URL: inject('rpcUrl'),
    SUI_FAUCET_URL: inject('faucetUrl'),
    ADMIN_WALLET: ADMIN_KEYPAIR.toSuiAddress(),
    ADMIN_PASSWORD: 'correct horse battery staple',
    PUBLIC_ORIGIN: 'http://snapswipe.test',
    RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
    RATE_LIMIT_SIGN_IN_PER_MINUTE: '1000000',
    RATE_LIMIT_UPLOADS_PER_MINUTE: '1000000',
    RATE_LIMIT_READ_MS_PER_MINUTE: '1000000000',
    ...overrides,
  });
}

export interface TestServerOptions {
  env?: Record<string, string>;
  engine?: EngineOptions;
  /** true: with the cache, as in production. Tests that write past the server would see their writes a moment later. */
  cache?: boolean;
  /** Folder of a built page; without one no pages are served. */
  distDir?: string;
  /** Loopback port to listen on; a free one when left out. */
  port?: number;
  /** Where the server logs to; by default nowhere. */
  log?: Services['log'];
}

/** One more server process' worth of app on a database; listens on a free loopback port. */
export async function startServer(databaseUrl: string, options: TestServerOptions = {}): Promise<TestApp> {
  const config = testConfig(databaseUrl, options.env);
  const database = openDatabase(databaseUrl, { maxConnections: 10, isPooled: config.isPooled });
  const sui = createSuiClient({ network: config.network, url: config.rpcUrl });
  const { chainIdentifier } = await sui.core.getChainIdentifier();
  const votes = createVoteEngine(database.pool, options.engine);
  const cache = createCache();
  const notices = options.cache
    ? listenForChanges({ databaseUrl: config.databaseDirectUrl, pool: database.pool, cache, onError: () => undefined })
    : undefined;
  const log = options.log ?? { error: () => undefined, warn: () => undefined, info: () => undefined };
  const replica = replicaOf(config, database.pool, (line) => services.log.warn(line));
  const reads = { db: database.db, replica: replica?.db ?? database.db, pool: database.pool, cache };
  const services: Services = {
    config,
    ...reads,
    sui,
    votes,
    feed: createFeed(reads),
    chainId: chainIdentifier,
    log,
  };
  const app = await buildApp(services, { distDir: options.distDir ?? null });
  const url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  return {
    url,
    app,
    services,
    databaseUrl,
    async close() {
      await app.close();
      await votes.close();
      await notices?.stop();
      await replica?.close();
      await database.close();
    },
  };
}

/** A server on a database of its own, closed and dropped after the tests of the file. */
export async function createTestApp(options: TestServerOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const server = await startServer(database.url, options);
  afterAll(async () => {
    await server.close();
    await database.drop();
  });
  return server;
}
