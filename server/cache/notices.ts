import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cache } from './cache.ts';

const CHANNEL = 'snapswipe';
const HEARTBEAT_MS = 1_000;
/** So long after a heartbeat the cache is still believed. */
const TRUST_MS = 2_500;
const RETRY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface Notices {
  stop(): Promise<void>;
}

export interface NoticesOptions {
  /** A connection that does not go through a pooler in transaction mode. */
  databaseUrl: string;
  /** Where the heartbeat is sent from: another connection, so that it proves that notices of others arrive. */
  pool: pg.Pool;
  cache: Cache;
  onError: (error: Error) => void;
}

/** Drops what depends on this thing, and what depends on any of its kind. */
export function forgetOne(cache: Cache, kind: string, id: number | string): void {
  cache.forget(kind);
  cache.forget(`${kind}:${id}`);
}

/** 'u:1,2' drops what depends on the counters of users 1 and 2, and what depends on anybody's; 'u:*' on all of them. */
export function applyNotice(cache: Cache, notice: string): void {
  const colon = notice.indexOf(':');
  const [kind, ids] = [notice.slice(0, colon), notice.slice(colon + 1)];
  if (ids === '*') return cache.forgetKind(kind);
  cache.forget(kind);
  for (const id of ids.split(',')) cache.forget(`${kind}:${id}`);
}

/**
 * Hears from PostgreSQL what anybody has changed (triggers of `db/functions/`) and drops it from the cache. The cache may be used
 * only while a heartbeat through the database comes back: when the connection is gone, or silent behind a pooler, every read
 * asks the database. Notices arrive in order, so a heartbeat also says that everything before it has been heard.
 */
export function listenForChanges({ databaseUrl, pool, cache, onError }: NoticesOptions): Notices {
  const beat = `beat:${randomBytes(6).toString('hex')}`;
  const stopping = new AbortController();
  const { signal } = stopping;

  function onNotice(payload: string): void {
    if (payload === beat) cache.trustUntil(signal.aborted ? 0 : Date.now() + TRUST_MS);
    else if (!payload.startsWith('beat:')) applyNotice(cache, payload);
  }

  async function listen(): Promise<void> {
    const connection = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'snapswipe-notices',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // What waits ends with it and leaves nothing behind on it: this loop turns once a second for months.
    const gone = new AbortController();
    const leave = (reason: Error): void => {
      cache.trustUntil(0);
      gone.abort(reason);
    };
    const onStop = (): void => leave(new Error('stopped'));
    signal.addEventListener('abort', onStop, { once: true });
    connection.on('error', leave);
    connection.on('end', () => leave(new Error('the connection for notices ended')));
    connection.on('notification', ({ payload }) => onNotice(payload ?? ''));
    let isBeating = false;
    const sendBeat = async (): Promise<void> => {
      if (isBeating) return;
      isBeating = true;
      await pool.query('SELECT pg_notify($1, $2)', [CHANNEL, beat]).catch(leave);
      isBeating = false;
    };
    try {
      await connection.connect();
      await connection.query(`LISTEN ${CHANNEL}`);
      for (;;) {
        void sendBeat();
        await sleep(HEARTBEAT_MS, undefined, { signal: gone.signal });
      }
    } catch (error) {
      throw gone.signal.aborted ? gone.signal.reason : error;
    } finally {
      signal.removeEventListener('abort', onStop);
      connection.removeAllListeners('notification');
      cache.trustUntil(0);
      cache.forgetAll();
      await connection.end().catch(() => undefined);
    }
  }

  const done = (async () => {
    while (!signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!signal.aborted) onError(error as Error);
      });
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}
