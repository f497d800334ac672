/**
 * Public reads from a replica are never stale: each read asks the primary for its log position (about 0.1 ms) and waits for the replica to
 * reach it. Otherwise an old row, read right after a change notification, would stay cached until the next change.
 *
 * A fault of the replica sends the statement to the primary, so only single statements go to a replica. While no primary responds, the
 * replica is read at its own position.
 */
import { CamelCasePlugin, Kysely, type PostgresPoolClient, PostgresDialect } from 'kysely';
import { AWAY_SQLSTATE } from './database-away.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { openPool, timed } from './client.ts';
import type { DB } from './schema.ts';

const WAIT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;
const PROBE_MS = 1_000;
const PRIMARY_TIMEOUT_MS = 2_000;
const PRIMARY_PROBE_MS = 250;

/** Target of public reads; `replica alone`: at its own position, while no primary can report a newer one. */
export type ReadSource = 'replica' | 'primary' | 'replica alone';

interface ReplicaOptions {
  primary: pg.Pool;
  maxConnections: number;
  isPooled?: boolean;
  onChange: (source: ReadSource, reason: string) => void;
  /** Called when the primary responds again: data read during the outage may be older than the primary's. */
  onPrimaryBack?: () => void;
}

export interface Replica {
  db: Kysely<DB>;
  isInUse(): boolean;
  close(): Promise<void>;
}

/** Thrown when no statement can use the replica now. */
class ReplicaUnavailable extends Error {
  /** True for a broken connection: behind a balancer, another one may lead to another replica. */
  isBroken = false;
}

/** A replica that was silent for long is not asked again: the primary may be faster. */
function broken(error: Error): ReplicaUnavailable {
  const unavailable = new ReplicaUnavailable(error.message || 'no connection', { cause: error });
  return Object.assign(unavailable, { isBroken: error.message !== 'Query read timeout' });
}

const TIMED_OUT = '57014';

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
  async function watchPrimary(): Promise<void> {
    while (isPrimaryAway && !closing.signal.aborted) {
      await pause(PRIMARY_PROBE_MS);
      if (closing.signal.aborted || (await positionOf(primary).catch(() => null)) === null) continue;
      isPrimaryAway = false;
      options.onPrimaryBack?.();
      report('the primary answers');
    }
  }

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

async function ask(client: pg.PoolClient, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  try {
    const result = await client.query(timed(text, values, ANSWER_TIMEOUT_MS));
    client.release();
    return result;
  } catch (error) {
    const isStatementError = isDatabaseError(error) && !AWAY_SQLSTATE.test(error.code);
    client.release(!isStatementError);
    throw isStatementError ? error : broken(error as Error);
  }
}

const isDatabaseError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'severity' in error && 'code' in error;

/** Log position that covers all commits: flushed, unless commits do not wait for that. */
const COMMITTED = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END)::text AS lsn`;
const PROGRESS = 'SELECT pg_is_in_recovery() AS replica, pg_last_wal_replay_lsn() >= $1::pg_lsn AS ready';

/** @throws Error when the primary does not respond or is no longer one */
async function positionOf(primary: pg.Pool): Promise<string> {
  const answer = primary.query<{ lsn: string }>(timed(COMMITTED, [], PRIMARY_TIMEOUT_MS));
  const late = new AbortController();
  // A silent primary must not hold all connections of the pool.
  const silence = sleep(PRIMARY_TIMEOUT_MS, null, { signal: late.signal }).catch(() => null);
  const found = await Promise.race([answer, silence]).finally(() => late.abort());
  answer.catch(() => undefined);
  const lsn = found?.rows[0]?.lsn;
  if (lsn === undefined) throw new Error(`no answer in ${PRIMARY_TIMEOUT_MS / 1000} s`);
  return lsn;
}

/** A connection to a replica that has reached `lsn`; to any replica for null. @throws ReplicaUnavailable */
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

/** The same value on a database and its replicas. */
const IDENTITY = 'SELECT system_identifier::text || current_database() AS id FROM pg_control_system()';

/** @throws Error for a replica of another cluster, where both sides permit the comparison */
async function assertSameCluster(primary: pg.Pool, replica: pg.Pool): Promise<void> {
  const ofPrimary = await primary.query<{ id: string }>(IDENTITY).catch(() => null);
  const ofReplica = await replica.query<{ id: string }>(IDENTITY).catch(() => null);
  if (ofPrimary && ofReplica && ofPrimary.rows[0]?.id !== ofReplica.rows[0]?.id)
    throw new Error('it is a replica of another database');
}
