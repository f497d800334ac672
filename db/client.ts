import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './schema.ts';
import { directConnection, STATEMENT_TIMEOUT_MS } from './session-settings.ts';

/** A connection pool or one transaction of it; query functions take it first and cannot tell which they got. */
export type Db = Kysely<DB> | Transaction<DB>;

const INT8_OID = 20;
/** bigint columns arrive as numbers; ids, tokens and MIST of one payment stay far below 2^53, and what does not is an error. */
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
  /** The URL is that of a pooler, which refuses start-up parameters: `keepSessionSettings` gives them to the login. */
  isPooled?: boolean;
  connectTimeoutMs?: number;
  onError?: (error: Error) => void;
}

/** pg knows this setting of a statement, its types do not. */
interface TimedQuery extends pg.QueryConfig {
  query_timeout: number;
}

/**
 * A statement whose response is waited for no longer than that. The time limit of the database ends a statement that takes long; this
 * one gives up a connection at whose other end nobody is, which no packet ever tells.
 */
export const timed = (text: string, values: readonly unknown[], timeoutMs: number): TimedQuery => ({
  text,
  values: [...values],
  query_timeout: timeoutMs,
});

/** Whether the database answers, in the form that the driver reads: a login may have another one for dates, behind a pooler. */
export async function answersInOurForm(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ now: Date | null }>('SELECT now()');
  return !Number.isNaN(rows[0]?.now?.getTime() ?? NaN);
}

/** A pool of connections; they are made when first used. */
export function openPool(url: string, options: DatabaseOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    ...(options.isPooled ? { connectionString: url } : directConnection(url)),
    max: options.maxConnections ?? 16,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: options.isPooled ? undefined : (options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS),
    // Times are read as ISO, whatever the database or role prefers. PgBouncer refuses the parameter; its own default is ISO.
    options: options.isPooled ? undefined : '-c DateStyle=ISO,MDY',
    application_name: options.applicationName ?? 'snapswipe',
    types,
  });
  // An idle connection that breaks must not end the process; the pool replaces it.
  pool.on('error', (error) => options.onError?.(error));
  // Nor must one that breaks between two statements of a transaction, whose next statement then fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Opens a pool on a PostgreSQL URL, with Kysely over it. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const pool = openPool(url, options);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  return { db, pool, close: () => db.destroy() };
}
