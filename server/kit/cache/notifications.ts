import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPool, timed } from '#db/client.ts';
import { directConnection } from '#db/session-settings.ts';
import type { Config } from '../config.ts';
import type { Cache } from './cache.ts';
import { type Change, type Kind, KINDS, kinds, type Tag } from './tags.ts';

const CHANNEL = 'snapswipe';
const HEARTBEAT_MS = 1_000;
const VALID_MS = 2_500;
const RETRY_MS = 1_000;
const END_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Without a heartbeat for this long the connection counts as dead: a machine that vanished sends nothing. */
const SILENCE_MS = 6_000;

export interface ChangeListener {
  stop(): Promise<void>;
}

export interface ListenerOptions {
  databaseUrl: string;
  /**
   * Sends the heartbeat on another connection, which proves that notifications of other connections arrive. It is a separate pool:
   * behind requests that wait for a connection it would be late, and the cache off when it is needed most.
   */
  pool: pg.Pool;
  cache: Cache;
  onError: (error: Error) => void;
  silenceMs?: number;
}

export const openHeartbeat = ({ databaseUrl, isPooled }: Pick<Config, 'databaseUrl' | 'isPooled'>): pg.Pool =>
  openPool(databaseUrl, { maxConnections: 1, isPooled, applicationName: 'snapswipe-heartbeat' });

const BY_LETTER = new Map<string, Kind>(kinds.map((kind) => [KINDS[kind].letter, kind]));

/** 'u:1,2' drops what depends on the counters of users 1 and 2, and what depends on any user's; 'u:*' on all of them. */
export function applyNotification(cache: Cache, notification: string): void {
  const colon = notification.indexOf(':');
  const [letter, ids] = [notification.slice(0, colon), notification.slice(colon + 1)];
  const kind = BY_LETTER.get(letter) ?? (letter as Kind);
  if (ids === '*') return cache.invalidateKind(kind);
  cache.invalidate(kind);
  for (const id of ids.split(',')) cache.invalidate(`${kind}:${id}` as Tag);
}

export function invalidatorOf(writes: readonly Change[]): (cache: Cache, userId: number) => void {
  const changes = writes.map((change) => {
    const [kind, whose] = change.split(':') as [Kind, ('own' | '*')?];
    return { kind, whose };
  });
  return (cache, userId) => {
    for (const { kind, whose } of changes) {
      if (whose === '*') cache.invalidateKind(kind);
      else cache.invalidate(whose === 'own' ? `${kind}:${userId}` : kind);
    }
  };
}

async function endSoon(connection: pg.Client, socket: Socket): Promise<void> {
  const timer = setTimeout(() => socket.destroy(), END_MS);
  await connection.end().catch(() => undefined);
  clearTimeout(timer);
}

/**
 * Learns from PostgreSQL what has changed (triggers of `db/functions/`) and drops it from the cache. The cache may be used
 * only while a heartbeat through the database comes back: when the connection is gone, or silent behind a pooler, every read
 * asks the database. Notifications arrive in order, so a heartbeat also proves that everything before it has arrived.
 */
export function listenForChanges(options: ListenerOptions): ChangeListener {
  const { databaseUrl, pool, cache, onError, silenceMs = SILENCE_MS } = options;
  const beat = `beat:${randomBytes(6).toString('hex')}`;
  const stopping = new AbortController();
  const { signal } = stopping;
  let heardAtMs = 0;

  function onNotification(payload: string): void {
    if (payload === beat) {
      heardAtMs = performance.now();
      cache.setValidUntil(signal.aborted ? 0 : performance.now() + VALID_MS);
    } else if (!payload.startsWith('beat:')) applyNotification(cache, payload);
  }

  async function listen(): Promise<void> {
    const socket = new Socket();
    const connection = new pg.Client({
      stream: () => socket,
      ...directConnection(databaseUrl),
      application_name: 'snapswipe-notifications',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    // Waits end with the connection and leave no listeners: this loop runs once a second for months.
    const gone = new AbortController();
    const leave = (reason: Error): void => {
      cache.setValidUntil(0);
      gone.abort(reason);
    };
    const onStop = (): void => leave(new Error('stopped'));
    signal.addEventListener('abort', onStop, { once: true });
    connection.on('error', leave);
    connection.on('end', () => leave(new Error('the connection for notifications ended')));
    connection.on('notification', ({ payload }) => onNotification(payload ?? ''));
    let isBeating = false;
    const sendBeat = async (): Promise<void> => {
      if (isBeating) return;
      isBeating = true;
      await pool.query(timed('SELECT pg_notify($1, $2)', [CHANNEL, beat], silenceMs)).catch(leave);
      isBeating = false;
    };
    try {
      await connection.connect();
      await connection.query(timed(`LISTEN ${CHANNEL}`, [], CONNECT_TIMEOUT_MS));
      heardAtMs = performance.now();
      for (;;) {
        if (performance.now() - heardAtMs > silenceMs) throw new Error(`no heartbeat for ${silenceMs / 1000} s`);
        void sendBeat();
        await sleep(HEARTBEAT_MS, undefined, { signal: gone.signal });
      }
    } catch (error) {
      throw gone.signal.aborted ? gone.signal.reason : error;
    } finally {
      signal.removeEventListener('abort', onStop);
      connection.removeAllListeners('notification');
      cache.setValidUntil(0);
      cache.invalidateAll();
      await endSoon(connection, socket);
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
