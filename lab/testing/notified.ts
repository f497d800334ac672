import { randomBytes } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { DB } from '#db/schema.ts';
import { type Cache, createCache } from '#server/kit/cache/cache.ts';

/*
 * Servers of tests run with the production cache, and tests write to the database directly. When a statement through
 * `services.db` resolves, its write has reached every server of that database: a mark follows it through the channel of
 * change notifications, which keeps the order. Nothing waits for a clock.
 */

const CHANNEL = 'snapswipe';
const MARK = 'mark';

export interface NotifiedCache {
  cache: Cache;
  connected: Promise<void>;
  /** Resolves when the mark has arrived, or when no notifications do. */
  arrived(mark: string): Promise<void>;
}

export function createNotifiedCache(): NotifiedCache {
  const cache = createCache();
  const { promise: connected, resolve: connect } = Promise.withResolvers<void>();
  const waiting = new Map<string, () => void>();
  let isListening = false;
  function arrive(mark: string): void {
    waiting.get(mark)?.();
    waiting.delete(mark);
  }
  return {
    connected,
    cache: {
      ...cache,
      invalidate(tag) {
        cache.invalidate(tag);
        arrive(tag);
      },
      setValidUntil(timeMs) {
        cache.setValidUntil(timeMs);
        isListening = timeMs > 0;
        if (isListening) connect();
        else for (const mark of waiting.keys()) arrive(mark);
      },
    },
    arrived: (mark) =>
      isListening ? new Promise((resolve) => waiting.set(`${MARK}:${mark}`, resolve)) : Promise.resolve(),
  };
}

const listeners = new Map<string, Set<NotifiedCache>>();

export function addListener(databaseUrl: string, listener: NotifiedCache): () => void {
  const group = listeners.get(databaseUrl) ?? new Set();
  listeners.set(databaseUrl, group.add(listener));
  return () => {
    group.delete(listener);
    if (group.size === 0) listeners.delete(databaseUrl);
  };
}

export async function allNotified(databaseUrl: string, pool: pg.Pool): Promise<void> {
  const group = listeners.get(databaseUrl);
  if (!group) return;
  const mark = randomBytes(6).toString('hex');
  const arrived = Promise.all([...group].map((listener) => listener.arrived(mark)));
  const isSent = await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, `${MARK}:${mark}`]).then(
    () => true,
    () => false,
  );
  if (isSent) await arrived;
}

const READ = /^\s*(select|show|explain)\b/i;

export function notifiedDb(databaseUrl: string, pool: pg.Pool): Kysely<DB> {
  const written = new WeakSet();
  class NotifiedDialect extends PostgresDialect {
    override createDriver() {
      const driver = super.createDriver();
      const acquire = driver.acquireConnection.bind(driver);
      const release = driver.releaseConnection.bind(driver);
      const known = new WeakSet();
      driver.acquireConnection = async (options) => {
        const connection = await acquire(options);
        if (known.has(connection)) return connection;
        known.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query, ...rest) => {
          if (!READ.test(query.sql)) written.add(connection);
          return execute(query, ...rest);
        };
        return connection;
      };
      driver.releaseConnection = async (connection, options) => {
        await release(connection, options);
        if (written.delete(connection)) await allNotified(databaseUrl, pool);
      };
      return driver;
    }
  }
  return new Kysely<DB>({ dialect: new NotifiedDialect({ pool }), plugins: [new CamelCasePlugin()] });
}
