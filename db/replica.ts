/**
 * Public reads from a replica, never stale: each read asks the primary for its log position (about 0.1 ms) and waits for the replica to
 * reach it. An old row, read right after a change notification, would otherwise stay cached until the next change. Rejected: caching such
 * responses for seconds only, which would show users an old list after their own write.
 *
 * A fault of the replica sends the statement to the primary, so only single statements go to a replica. While no primary responds, the
 * replica is read as far as it has come.
 */
import { CamelCasePlugin, Kysely, type PostgresPoolClient, PostgresDialect } from 'kysely';
import { AWAY_SQLSTATE } from './database-away.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool, timed } from './client.ts';
import type { DB } from './schema.ts';

/** So long a read waits until the replica has what the primary had when it was asked for. */
const WAIT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
/** A replica that is silent for so long is away. */
const ANSWER_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;
/** A primary that does not say for so long how far its log has come is away, and asked again every so often. */
const PRIMARY_TIMEOUT_MS = 2_000;
const PRIMARY_PROBE_MS = 250;

/** Where public reads go; `replica alone`: as far as it has come, while no primary can say how far it should be. */
export type ReadSource = 'replica' | 'primary' | 'replica alone';

export interface ReplicaOptions {
  /** Runs what the replica cannot, and says how far the replica has to be. */
  primary: pg.Pool;
  maxConnections: number;
  isPooled?: boolean;
  /** Told once for each change of where reads go, with the reason. */
  onChange: (source: ReadSource, reason: string) => void;
  /** The primary answers again: what was read meanwhile may be older than what it has. */
  onPrimaryBack?: () => void;
}

export interface Replica {
  /** For single statements that only read; never behind the primary, as long as there is one. */
  db: Kysely<DB>;
  isInUse(): boolean;
  close(): Promise<void>;
}

/** The replica cannot be used now by any statement: not an error of one statement. */
class ReplicaUnavailable extends Error {
  /** Its connection broke; behind a balancer another one may lead to another replica. */
  isBroken = false;
}

/** One that was silent for long is not asked again: the primary may be quicker. */
function broken(error: Error): ReplicaUnavailable {
  const unavailable = new ReplicaUnavailable(error.message || 'no connection', { cause: error });
  return Object.assign(unavailable, { isBroken: error.message !== 'Query read timeout' });
}

/** Statement timeout: the primary would take as long. */
const TIMED_OUT = '57014';

/**
 * Reads from a streaming replica of the primary. Each read first asks the primary how far its log has come, which costs it
 * next to nothing, and waits for the replica to catch up: users see their own writes, and what is cached when a
 * notification arrives is not older than it. A replica that is away or behind is left alone, its reads go to the
 * primary, and it is tried again every second. While there is no primary, the replica is read as it is (decision 35).
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
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal }).catch(() => undefined);
  let inUse = false;
  /** It was seen to be a replica of this primary. */
  let isKnown = false;
  let isPrimaryAway = false;
  let reported: ReadSource | null = null;

  function report(reason: string): void {
    const source = !inUse ? 'primary' : isPrimaryAway ? 'replica alone' : 'replica';
    if (reported === source || closing.signal.aborted) return;
    reported = source;
    onChange(source, reason);
  }

  let watching: Promise<void> = Promise.resolve();
  /** Asks for the primary until it answers; until then nobody else does. */
  async function watchPrimary(): Promise<void> {
    while (isPrimaryAway && !closing.signal.aborted) {
      await pause(PRIMARY_PROBE_MS);
      if (closing.signal.aborted || (await positionOf(primary).catch(() => null)) === null) continue;
      isPrimaryAway = false;
      options.onPrimaryBack?.();
      report('the primary answers');
    }
  }

  /** How far the primary's log has come; null while there is no primary. */
  async function committed(): Promise<string | null> {
    if (isPrimaryAway) return null;
    try {
      return await positionOf(primary);
    } catch (error) {
      if (!isPrimaryAway) {
        isPrimaryAway = true;
        watching = watchPrimary();
        report(`the primary does not answer (${(error as Error).message || 'no connection'})`);
      }
      return null;
    }
  }

  /** Goes back to the replica as soon as it answers and is up to date. */
  async function probe(): Promise<void> {
    while (!inUse && !closing.signal.aborted) {
      try {
        const lsn = await committed();
        if (lsn !== null) await assertSameCluster(primary, pool);
        else if (!isKnown) throw new Error('the primary does not answer');
        (await upToDate(pool, lsn)).release();
        isKnown = true;
        inUse = true;
        report('it answers and is up to date');
      } catch (error) {
        report((error as Error).message);
        await pause(PROBE_MS);
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

  async function readThere(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const once = async () => ask(await upToDate(pool, await committed()), text, values);
    try {
      return await once();
    } catch (error) {
      if (error instanceof ReplicaUnavailable && error.isBroken) return once();
      throw error;
    }
  }

  async function read(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (inUse) {
      try {
        return await readThere(text, values);
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
      await Promise.all([probing, watching]);
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
    const result = await client.query(timed(text, values, ANSWER_TIMEOUT_MS));
    client.release();
    return result;
  } catch (error) {
    const isStatementError = isDatabaseError(error) && !AWAY_SQLSTATE.test(error.code);
    // Whatever else happened, nothing more is to be read from this connection.
    client.release(!isStatementError);
    throw isStatementError ? error : broken(error as Error);
  }
}

const isDatabaseError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'severity' in error && 'code' in error;

/** Where the log is that holds all that was committed: written out, unless commits do not wait for that. */
const COMMITTED = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END)::text AS lsn`;
const PROGRESS = 'SELECT pg_is_in_recovery() AS replica, pg_last_wal_replay_lsn() >= $1::pg_lsn AS ready';

/** @throws Error when the primary does not answer, and when what answers leads no more. */
async function positionOf(primary: pg.Pool): Promise<string> {
  const answer = primary.query<{ lsn: string }>(timed(COMMITTED, [], PRIMARY_TIMEOUT_MS));
  const late = new AbortController();
  // A pool whose connections are all waiting for a silent primary gives none.
  const silence = sleep(PRIMARY_TIMEOUT_MS, null, { signal: late.signal }).catch(() => null);
  const found = await Promise.race([answer, silence]).finally(() => late.abort());
  answer.catch(() => undefined);
  const lsn = found?.rows[0]?.lsn;
  if (lsn === undefined) throw new Error(`no answer in ${PRIMARY_TIMEOUT_MS / 1000} s`);
  return lsn;
}

/** A connection to a replica that has everything up to `lsn`; any, where nobody knows how far it should be. @throws ReplicaUnavailable */
async function upToDate(pool: pg.Pool, lsn: string | null): Promise<pg.PoolClient> {
  const client = await pool.connect().catch((error: Error) => Promise.reject(broken(error)));
  if (lsn === null) return client;
  const untilMs = performance.now() + WAIT_MS;
  try {
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, 20)) {
      const { rows: found } = await client
        .query<{ replica: boolean; ready: boolean }>(timed(PROGRESS, [lsn], WAIT_MS))
        .catch((error: Error) => Promise.reject(broken(error)));
      if (!found[0]?.replica) throw new ReplicaUnavailable('it is not a replica, or no longer one');
      if (found[0].ready) return client;
      if (performance.now() > untilMs) throw new ReplicaUnavailable(`it is more than ${WAIT_MS} ms behind`);
      await sleep(pauseMs);
    }
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** The same on a database and its replicas. */
export const IDENTITY = 'SELECT system_identifier::text || current_database() AS id FROM pg_control_system()';

/** @throws Error when this is a replica of something else, where both sides let us ask. */
async function assertSameCluster(primary: pg.Pool, replica: pg.Pool): Promise<void> {
  const ofPrimary = await primary.query<{ id: string }>(IDENTITY).catch(() => null);
  const ofReplica = await replica.query<{ id: string }>(IDENTITY).catch(() => null);
  if (ofPrimary && ofReplica && ofPrimary.rows[0]?.id !== ofReplica.rows[0]?.id)
    throw new Error('it is a replica of another database');
}
