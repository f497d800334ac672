import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './schema.ts';
import { directConnection, setNewerSettings, STATEMENT_TIMEOUT_MS } from './session-settings.ts';

/** A connection pool or one of its transactions. Query functions take it first and do not know which they got. */
export type Db = Kysely<DB> | Transaction<DB>;

const INT8_OID = 20;
const UNDEFINED_TABLE = '42P01';
/** @throws RangeError above 2^53: ids, tokens and MIST of one payment stay far below. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`integer from the database is not safe: ${text}`);
  return value;
}
const types = new pg.TypeOverrides();
types.setTypeParser(INT8_OID, parseInt8);

export interface Database {
  db: Kysely<DB>;
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  maxConnections?: number;
  statementTimeoutMs?: number;
  applicationName?: string;
  isPooled?: boolean;
  connectTimeoutMs?: number;
  onError?: (error: Error) => void;
}

interface TimedQuery extends pg.QueryConfig {
  query_timeout: number;
}

/** Gives up on a connection whose other end vanished without a packet; the statement timeout only ends slow statements. */
export const timed = (text: string, values: readonly unknown[], timeoutMs: number): TimedQuery => ({
  text,
  values: [...values],
  query_timeout: timeoutMs,
});

/** Behind a pooler, the next transaction may run on another connection, which does not know the name. */
const direct = new WeakSet<pg.Pool>();

/** A statement that is sent often: parsed and planned once per connection, unless `pool` leads to a pooler. */
export const prepared = <Q extends pg.QueryConfig>(pool: pg.Pool, name: string, query: Q): Q =>
  direct.has(pool) ? { ...query, name } : query;

/** False if our tables cannot be read. Behind a pooler, a login may have another date format, which the driver cannot read. */
export async function answersAsOurs(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool
    .query<{ now: Date | null }>('SELECT now() FROM schema_migrations LIMIT 1')
    .catch((error: unknown) => {
      if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error;
      return { rows: [] };
    });
  return !Number.isNaN(rows[0]?.now?.getTime() ?? NaN);
}

export function openPool(url: string, options: DatabaseOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    ...(options.isPooled ? { connectionString: url } : directConnection(url)),
    max: options.maxConnections ?? 16,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: options.isPooled ? undefined : (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
    application_name: options.applicationName ?? 'snapswipe',
    types,
    // oxlint-disable-next-line no-misused-promises -- pg-pool waits for it, which its types do not know
    ...(options.isPooled ? {} : { onConnect: setNewerSettings }),
  });
  if (!options.isPooled) direct.add(pool);
  // A connection that breaks must not end the process, neither idle nor between two statements of a transaction.
  pool.on('error', (error) => options.onError?.(error));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = openPool(url, options);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  return { db, pool, close: () => db.destroy() };
}
