/**
 * Views, clicks and shares of listings (R50), added up in memory and stored every five seconds: one row per project, UTC day, kind and source.
 * A killed server loses five seconds. Bots are left out (`isbot`, no name, prefetches), and a client counts once in ten minutes. A client is a
 * hash of address and browser name with a salt that lives ten minutes in memory.
 *
 * Rejected: a row per view, cookies or local storage (need consent), counting in the request of the page (most views come from the deck).
 * Known: an image proxy counts as a bot; each process knows its own visitors only.
 */
import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { EventCounter, ProjectEvent, Visitor } from '#server/kit/services.ts';

const MAX_WAITING = 10_000;
const REPEAT_MS = 10 * 60_000;
/** Browsers of one address that count for the same event, as in an office: clients can invent browser names. */
const MAX_BROWSERS = 20;
const MAX_OF_ADDRESS = 2_000;
const MAX_VISITORS = 200_000;

interface EventCounterOptions {
  intervalMs?: number;
  onError?: (error: unknown) => void;
  now?: () => number;
  maxVisitors?: number;
}

type Counters = Map<string, ProjectEvent & { count: number }>;

/** Rows are written in the order of the key, so that two servers never deadlock. */
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

type Visits = Map<string, string[]>;

/**
 * True for a visitor's first event in ten minutes. Each address is bounded before the total is, so a client that invents visitors affects only
 * its own counts. A full memory drops the older half of the event with the most visitors, which may then count twice.
 */
function createFirstTimes(now: () => number, maxVisitors: number) {
  const visits = new Map<string, Visits>();
  const ofAddress = new Map<string, number>();
  let [salt, endsAtMs, visitors] = ['', 0, 0];
  const markOf = (text: string): string => hash('sha256', `${salt} ${text}`, 'base64url').slice(0, 16);

  function begin(): void {
    visits.clear();
    ofAddress.clear();
    [salt, endsAtMs, visitors] = [randomBytes(16).toString('hex'), now() + REPEAT_MS, 0];
  }

  function dropOldest(): void {
    let [event, largest]: [string, Visits] = ['', new Map()];
    for (const [name, one] of visits) if (one.size > largest.size) [event, largest] = [name, one];
    for (const [address, browsers] of [...largest].slice(0, Math.ceil(largest.size / 2))) {
      largest.delete(address);
      visitors -= browsers.length;
    }
    if (largest.size === 0) visits.delete(event);
    for (const address of ofAddress.keys()) {
      if (ofAddress.size <= maxVisitors) break;
      ofAddress.delete(address);
    }
  }

  return (event: string, { address, browser }: Visitor): boolean => {
    if (now() >= endsAtMs) begin();
    const [addressMark, browserMark] = [markOf(address), markOf(browser)];
    const addresses = visits.get(event) ?? new Map<string, string[]>();
    const browsers = addresses.get(addressMark) ?? [];
    const events = ofAddress.get(addressMark) ?? 0;
    if (browsers.length >= MAX_BROWSERS || events >= MAX_OF_ADDRESS || browsers.includes(browserMark)) return false;
    browsers.push(browserMark);
    addresses.set(addressMark, browsers);
    visits.set(event, addresses);
    ofAddress.set(addressMark, events + 1);
    visitors += 1;
    if (visitors > maxVisitors) dropOldest();
    return true;
  };
}

export function createEventCounter(
  db: Db,
  {
    intervalMs = 5_000,
    onError = () => undefined,
    now = () => performance.now(),
    maxVisitors = MAX_VISITORS,
  }: EventCounterOptions = {},
): EventCounter {
  const isFirst = createFirstTimes(now, maxVisitors);
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
    count(event, visitor) {
      if (!isClosed && isFirst(`${event.projectId} ${event.kind} ${event.source}`, visitor)) add(event, 1);
    },
    flush,
    async close() {
      isClosed = true;
      if (timer) clearInterval(timer);
      await flush();
    },
  };
}
