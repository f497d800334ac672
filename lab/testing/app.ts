import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { ADVISORY_LOCKS } from '#db/advisory-locks.ts';
import { OPERATOR_ROUTES } from '#ops/serve/operator-routes.ts';
import { buildApp } from '#server/app.ts';
import { composeServices } from '#server/compose.ts';
import type { EngineOptions } from '#server/voting/votes/engine.ts';
import { type ChangeListener, listenForChanges, openHeartbeat } from '#server/kit/cache/notifications.ts';
import { type Config, readConfig } from '#server/kit/config.ts';
import { createLog } from '#server/kit/http/log.ts';
import type { PressureSource } from '#server/kit/http/pressure.ts';
import type { Services } from '#server/kit/services.ts';
import { serverSettings, WITHOUT_RATE_LIMITS } from '../settings.ts';
import { type NotifiedCache, addListener, allNotified, createNotifiedCache, notifiedDb } from './notified.ts';

export const PUBLIC_ORIGIN = 'https://snapswipe.test';

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

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = inject('templateName');
  await withAdmin(async (client) => {
    // Copying a template needs exclusive access for a moment; test files take turns.
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.testTemplate]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
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
  /** Services of the server, except `db`: every server of the database learns immediately of writes through it. */
  services: Services;
  databaseUrl: string;
  /** Resolves when notifications of all that is committed now have reached every server of the database, within milliseconds. */
  allNotified(): Promise<void>;
  close(): Promise<void>;
}

export function testConfig(databaseUrl: string, overrides: Record<string, string> = {}): Config {
  return readConfig({
    ...serverSettings(databaseUrl, { rpcUrl: inject('rpcUrl'), faucetUrl: inject('faucetUrl') }),
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    TRUST_PROXY: '1',
    PUBLIC_ORIGIN,
    ...WITHOUT_RATE_LIMITS,
    ...overrides,
  });
}

const PATIENCE_MS = 5_000;

export interface TestServerOptions {
  env?: Record<string, string>;
  /** Fields of the config that no setting changes, such as limits. */
  config?: Partial<Config>;
  engine?: EngineOptions;
  /** How long votes can be taken back, and are not counted as verified or recorded yet; by default not at all. */
  undoWindowMs?: number | 'as in production';
  /** false: without change notifications, so that every read asks the database, as while their connection is gone. */
  cache?: boolean;
  distDir?: string;
  port?: number;
  pressure?: PressureSource;
  log?: Services['log'];
}

export async function startServer(databaseUrl: string, options: TestServerOptions = {}): Promise<TestApp> {
  const config = { ...testConfig(databaseUrl, options.env), ...options.config };
  const notified = createNotifiedCache();
  const { services, close } = await composeServices(config, {
    log: options.log ?? createLog(config, { write: () => undefined }),
    cache: notified.cache,
    ...(options.undoWindowMs === 'as in production' ? {} : { undoWindowMs: options.undoWindowMs ?? 0 }),
    maxConnections: 10,
    notesIntervalMs: 0,
    ...(options.engine === undefined ? {} : { engine: options.engine }),
  });
  const { pool, sui } = services;
  services.chainId = (await sui.core.getChainIdentifier()).chainIdentifier;
  const app = await buildApp(services, {
    pressure: options.pressure ?? null,
    distDir: options.distDir ?? null,
    mounts: OPERATOR_ROUTES,
  });
  const url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const directUrl = config.databaseDirectUrl;
  const listener = options.cache === false ? null : await listen(config, notified);
  return {
    url,
    app,
    services: { ...services, db: notifiedDb(directUrl, pool) },
    databaseUrl,
    allNotified: () => allNotified(directUrl, pool),
    async close() {
      // A failed test may have left a request unfinished, which would block the server's end until the hook's time is
      // over.
      const sweep = setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS);
      await app.close();
      clearTimeout(sweep);
      await listener?.stop();
      await close();
      const undocumented = [...new Set(app.undocumented)];
      if (undocumented.length > 0)
        throw new Error(`The contract has to name these under \`statuses\`: ${undocumented.join('; ')}`);
    },
  };
}

async function listen(config: Config, notified: NotifiedCache): Promise<ChangeListener> {
  const { cache, connected } = notified;
  const databaseUrl = config.databaseDirectUrl;
  const pool = openHeartbeat(config);
  const remove = addListener(databaseUrl, notified);
  const listener = listenForChanges({ databaseUrl, pool, cache, onError: () => undefined });
  await connected;
  return {
    async stop() {
      remove();
      await listener.stop();
      await pool.end();
    },
  };
}

export async function createTestApp(options: TestServerOptions = {}): Promise<TestApp> {
  const database = await createTestDatabase();
  const server = await startServer(database.url, options);
  afterAll(async () => {
    await server.close();
    await database.drop();
  });
  return server;
}
