import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { EventCounter, ProjectEvent } from '../services.ts';

/** Counters that wait to be stored: so many projects, kinds and sources within seconds are nobody's visit. */
const MAX_WAITING = 10_000;
/** The same client counts once per project, kind and source within this time: a page that is reloaded is one view. */
const REPEAT_MS = 10 * 60_000;
/** Clients that are told apart within that time; beyond it nothing is counted until the time is over. */
const MAX_CLIENTS = 200_000;

export interface EventCounterOptions {
  /** How often counters are stored; 0: only by `flush`. */
  intervalMs?: number;
  onError?: (error: unknown) => void;
  now?: () => number;
}

type Counters = Map<string, ProjectEvent & { count: number }>;

/** Adds what was counted to today's rows by the clock of the database, in the order of the key: two servers never wait for each other's rows. */
async function store(db: Db, counters: Counters): Promise<void> {
  const rows = [...counters.values()];
  await sql`INSERT INTO project_events_days (project_id, day, kind, source, count)
    SELECT p.id, (now() AT TIME ZONE 'UTC')::date, x.kind::event_kind, x.source::event_source, x.count
    FROM unnest(${rows.map(({ projectId }) => projectId)}::bigint[], ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ source }) => source)}::text[], ${rows.map(({ count }) => count)}::bigint[]) AS x (project_id, kind, source, count)
    JOIN projects p ON p.id = x.project_id AND p.hidden_at IS NULL
    ORDER BY 1, 3, 4
    ON CONFLICT (project_id, day, kind, source) DO UPDATE SET count = project_events_days.count + excluded.count`.execute(
    db,
  );
}

/**
 * Says whether a client does something for the first time in ten minutes. What it keeps are hashes with a salt of these ten minutes, in
 * memory only: afterwards nobody can tell which client one stands for, and nothing of it is stored.
 */
function createFirstTimes(now: () => number) {
  const seen = new Set<string>();
  let [salt, endsAtMs] = [randomBytes(16), 0];
  return (event: string, client: string): boolean => {
    if (now() >= endsAtMs) {
      seen.clear();
      [salt, endsAtMs] = [randomBytes(16), now() + REPEAT_MS];
    }
    const mark = hash('sha256', `${salt.toString('hex')} ${event} ${client}`, 'base64url').slice(0, 16);
    if (seen.size >= MAX_CLIENTS || seen.has(mark)) return false;
    seen.add(mark);
    return true;
  };
}

/** Adds up in memory, stores all counters in one statement every few seconds. */
export function createEventCounter(
  db: Db,
  { intervalMs = 5_000, onError = () => undefined, now = () => Date.now() }: EventCounterOptions = {},
): EventCounter {
  const isFirst = createFirstTimes(now);
  let waiting: Counters = new Map();
  let isClosed = false;

  function add(event: ProjectEvent, count: number): void {
    const key = `${event.projectId} ${event.kind} ${event.source}`;
    const counter = waiting.get(key);
    if (counter) counter.count += count;
    else if (waiting.size < MAX_WAITING) waiting.set(key, { ...event, count });
  }

  async function flush(): Promise<void> {
    if (waiting.size === 0) return;
    const batch = waiting;
    waiting = new Map();
    try {
      await store(db, batch);
    } catch (error) {
      for (const { count, ...event } of batch.values()) add(event, count);
      onError(error);
    }
  }

  const timer = intervalMs > 0 ? setInterval(() => void flush(), intervalMs).unref() : null;
  return {
    count(event, client) {
      if (!isClosed && isFirst(`${event.projectId} ${event.kind} ${event.source}`, client)) add(event, 1);
    },
    flush,
    async close() {
      isClosed = true;
      if (timer) clearInterval(timer);
      await flush();
    },
  };
}
