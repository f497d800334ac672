import { CamelCasePlugin, Kysely, type PostgresPoolClient, PostgresDialect } from 'kysely';
import { AWAY_SQLSTATE } from './database-away.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool } from './client.ts';
import type { DB } from './schema.ts';

/** So long a read waits until the replica has what the primary had when it was asked for. */
const WAIT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
/** A replica that is silent for so long is away. */
const ANSWER_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;

export interface ReplicaOptions {
  /** Runs what the replica cannot, and says how far the replica has to be. */
  primary: pg.Pool;
  maxConnections: number;
  isPooled?: boolean;
  /** Told once when reads go to the replica, and once with the reason when they go to the primary instead. */
  onChange: (inUse: boolean, reason: string) => void;
}

export interface Replica {
  /** For single statements that only read; never behind the primary. */
  db: Kysely<DB>;
  isInUse(): boolean;
  close(): Promise<void>;
}

/** The replica cannot be used now by any statement: not an error of one statement. */
class ReplicaUnavailable extends Error {}

/** Statement timeout: the primary would take as long. */
const TIMED_OUT = '57014';

/**
 * Reads from a streaming replica of the primary. Each read first asks the primary how far its log has come, which costs it
 * next to nothing, and waits for the replica to catch up: users see their own writes, and what is cached when a
 * notification arrives is not older than it. A replica that is away or behind is left alone, its reads go to the
 * primary, and it is tried again every second.
 */
export function openReplica(url: string, options: ReplicaOptions): Replica {
  const { primary, maxConnections, isPooled, onChange } = options;
  const pool = openPool(url, {
    maxConnections,
    applicationName: 'snapswipe-reads',
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...(isPooled === undefined ? {} : { isPooled }),
  });
  const closing = new AbortController();
  let inUse = false;
  let reported: boolean | null = null;

  function report(reason: string): void {
    if (reported === inUse || closing.signal.aborted) return;
    reported = inUse;
    onChange(inUse, reason);
  }

  /** Goes back to the replica as soon as it answers and is up to date. */
  async function probe(): Promise<void> {
    while (!inUse && !closing.signal.aborted) {
      try {
        await assertSameCluster(primary, pool);
        (await upToDate(primary, pool)).release();
        inUse = true;
        report('it answers and is up to date');
      } catch (error) {
        report((error as Error).message);
        await sleep(PROBE_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }
  let probing = probe();

  function leave(error: Error): void {
    if (!inUse) return;
    inUse = false;
    report(error.message);
    probing = probe();
  }

  async function read(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (inUse) {
      try {
        return await ask(await upToDate(primary, pool), text, values);
      } catch (error) {
        if ((error as pg.DatabaseError).code === TIMED_OUT) throw error;
        if (error instanceof ReplicaUnavailable) leave(error);
      }
    }
    return primary.query(text, [...values]);
  }

  const dialect = new PostgresDialect({
    pool: { connect: async () => statementOnlyConnection(read), end: async () => undefined, options: {} },
  });
  return {
    db: new Kysely<DB>({ dialect, plugins: [new CamelCasePlugin()] }),
    isInUse: () => inUse,
    async close() {
      closing.abort();
      await probing;
      await pool.end();
    },
  };
}

/** What Kysely takes for a connection: each statement finds one of its own. */
function statementOnlyConnection(
  read: (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>,
): PostgresPoolClient {
  return {
    async query(text: unknown, values: readonly unknown[] = []) {
      if (typeof text !== 'string' || /^\s*(?:begin|start transaction)/i.test(text))
        throw new Error('the replica is for single statements; a transaction belongs to the primary');
      return read(text, values);
    },
    release: () => undefined,
  } as unknown as PostgresPoolClient;
}

/** A statement on a connection of the replica, which is then given back. */
async function ask(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  try {
    const result = await client.query(limited(text, values, ANSWER_TIMEOUT_MS));
    client.release();
    return result;
  } catch (error) {
    const isStatementError = isDatabaseError(error) && !AWAY_SQLSTATE.test(error.code);
    // Whatever else happened, nothing more is to be read from this connection.
    client.release(!isStatementError);
    throw isStatementError ? error : new ReplicaUnavailable((error as Error).message, { cause: error });
  }
}

const isDatabaseError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'severity' in error && 'code' in error;

/** Where the log is that holds all that was committed: written out, unless commits do not wait for that. */
const COMMITTED = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END)::text AS lsn`;
const PROGRESS = 'SELECT pg_is_in_recovery() AS replica, pg_last_wal_replay_lsn() >= $1::pg_lsn AS ready';

/** A connection to a replica that has everything that was committed when this was called. @throws ReplicaUnavailable */
async function upToDate(primary: pg.Pool, pool: pg.Pool): Promise<pg.PoolClient> {
  const { rows } = await primary.query<{ lsn: string }>(COMMITTED);
  const client = await pool.connect().catch((error: Error) => {
    throw new ReplicaUnavailable(error.message || 'no connection', { cause: error });
  });
  const untilMs = performance.now() + WAIT_MS;
  try {
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 20)) {
      const { rows: found } = await client.query<{ replica: boolean; ready: boolean }>(
        limited(PROGRESS, [rows[0]?.lsn], WAIT_MS),
      );
      if (!found[0]?.replica) throw new Error('it is not a replica, or no longer one');
      if (found[0].ready) return client;
      if (performance.now() > untilMs) throw new Error(`it is more than ${WAIT_MS} ms behind`);
      await sleep(pauseMs);
    }
  } catch (error) {
    client.release(true);
    throw new ReplicaUnavailable((error as Error).message, { cause: error });
  }
}

/** pg knows this setting of a statement, its types do not. */
interface LimitedQuery extends pg.QueryConfig {
  query_timeout: number;
}

/** A statement whose response is not waited for any longer than that. */
const limited = (text: string, values: readonly unknown[], timeoutMs: number): LimitedQuery => ({
  text,
  values: [...values],
  query_timeout: timeoutMs,
});

/** The same on a database and its replicas. */
export const IDENTITY = 'SELECT system_identifier::text || current_database() AS id FROM pg_control_system()';

/** @throws Error when this is a replica of something else, where both sides let us ask. */
async function assertSameCluster(primary: pg.Pool, replica: pg.Pool): Promise<void> {
  const ofPrimary = await primary.query<{ id: string }>(IDENTITY).catch(() => null);
  const ofReplica = await replica.query<{ id: string }>(IDENTITY).catch(() => null);
  if (ofPrimary && ofReplica && ofPrimary.rows[0]?.id !== ofReplica.rows[0]?.id)
    throw new Error('it is a replica of another database');
}
