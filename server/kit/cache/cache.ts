import type { Kind, Tag } from './tags.ts';

/** A value and the time from which it may differ although nothing was written, such as the end of a voting window. */
export interface Loaded<T> {
  value: T;
  expiresAtMs?: number;
  /** Tags that are known only after the load; during the load, those given to `getOrLoad` count. */
  tags?: readonly Tag[];
  bytes?: number;
  /** The key is chosen by clients: all entries of such keys together take a part of the memory, so that no client displaces what others read. */
  isChosen?: boolean;
  /** Pauses after each load, as if it had been expensive. */
  rests?: boolean;
}

export interface Cache {
  isUsable(): boolean;
  generation(): number;
  getCached(key: string): unknown;
  /**
   * The value cached under `key`, otherwise the result of `load`, which stays cached until one of its tags is invalidated.
   * Concurrent callers share one load; a call after a write never gets what was read before it. While the cache is off nothing stays
   * cached, and calls share only a load that begins after all of them: one read of a key at a time, whatever is asked.
   */
  getOrLoad<T>(key: string, tags: readonly Tag[], load: () => Promise<Loaded<T>>): Promise<T>;
  invalidate(tag: Tag): void;
  invalidateKind(kind: Kind): void;
  invalidateAll(): void;
  usage(): { entries: number; bytes: number; resting: number; tags: number };
  requests(): { hits: number; misses: number };
  /** Values may be used until then (performance.now()): while change notifications are known to arrive. Off at first. */
  setValidUntil(timeMs: number): void;
}

interface Dependant {
  key: string;
  tags: readonly Tag[];
}

interface Entry extends Dependant {
  value: unknown;
  bytes: number;
  expiresAtMs: number;
  isChosen: boolean;
}

interface Load extends Dependant {
  promise: Promise<unknown>;
  /** The read has begun: a write from then on may be missing from it. */
  isReading: boolean;
  /** A tag was invalidated during the read: the result goes to the calls made before, and is not cached. */
  outdated: boolean;
}

/** An expensive value pauses for this multiple of its cost, so that a storm of writes does not become one of reads. */
const REST_FACTOR = 3;
/** Limits the rest after a slow load: waiting for a database or a processor must not double for its readers. */
const MAX_REST_MS = 2_000;
const EXPENSIVE_MS = 5;

/** Longest wait for the previous load while the cache is off, so that a hanging load does not multiply. */
const MAX_TURN_MS = 1_000;

async function turnOf(before: Promise<unknown>, mostMs: number | null): Promise<void> {
  const ended = before.then(
    () => undefined,
    () => undefined,
  );
  if (mostMs === null) return ended;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, mostMs);
  });
  await Promise.race([ended, over]);
  clearTimeout(timer);
}

/** Bytes of an entry besides its value: key, tags, and its places in the maps. */
const ENTRY_BYTES = 600;
const CHOSEN_SHARE = 1 / 4;
const MAX_RESTING = 1_000;

function createIndex() {
  const byTag = new Map<Tag, Set<Dependant>>();
  return {
    add(dependant: Dependant) {
      for (const tag of dependant.tags) {
        const group = byTag.get(tag);
        if (group) group.add(dependant);
        else byTag.set(tag, new Set([dependant]));
      }
    },
    remove(dependant: Dependant) {
      for (const tag of dependant.tags) {
        const group = byTag.get(tag);
        group?.delete(dependant);
        if (group?.size === 0) byTag.delete(tag);
      }
    },
    of: (tag: Tag): Dependant[] => [...(byTag.get(tag) ?? [])],
    tags: (): Tag[] => [...byTag.keys()],
  };
}

/**
 * Caches values of the database in the memory of a server; the least recently used entries leave first. `notifications.ts` keeps them
 * current. Bounded by bytes, because clients decide how large a value is and how many exist.
 */
export function createCache({ maxBytes = 48 * 1024 * 1024 }: { maxBytes?: number } = {}): Cache {
  const entries = new Map<string, Entry>();
  const chosen = new Map<string, Entry>();
  const loads = new Map<string, Load>();
  const index = createIndex();
  const restUntilMs = new Map<string, number>();
  let usedBytes = 0;
  let chosenBytes = 0;
  let validUntilMs = 0;
  let generation = 0;
  const requests = { hits: 0, misses: 0 };
  const isOn = (): boolean => performance.now() < validUntilMs;

  function remove(entry: Entry): void {
    if (entries.delete(entry.key)) usedBytes -= entry.bytes;
    if (chosen.delete(entry.key)) chosenBytes -= entry.bytes;
    index.remove(entry);
  }

  function drop(dependant: Dependant): void {
    if ('promise' in dependant) (dependant as Load).outdated = (dependant as Load).isReading;
    else remove(dependant as Entry);
  }

  /** Evicts the oldest entries; `find` moves used ones to the end. */
  function shrink(shelf: ReadonlyMap<string, Entry>, isFull: () => boolean): void {
    for (const oldest of shelf.values()) {
      if (!isFull()) break;
      remove(oldest);
    }
  }

  function store(entry: Entry): void {
    const previous = entries.get(entry.key);
    if (previous) remove(previous);
    if (entry.isChosen && entry.bytes > maxBytes * CHOSEN_SHARE) return;
    entries.set(entry.key, entry);
    usedBytes += entry.bytes;
    index.add(entry);
    if (entry.isChosen) {
      chosen.set(entry.key, entry);
      chosenBytes += entry.bytes;
      shrink(chosen, () => chosenBytes > maxBytes * CHOSEN_SHARE);
    }
    shrink(entries, () => usedBytes > maxBytes);
  }

  /** Pauses a key; drops expired pauses and, beyond the bound, the oldest. */
  function rest(key: string, untilMs: number): void {
    restUntilMs.set(key, untilMs);
    if (restUntilMs.size <= MAX_RESTING) return;
    for (const [other, otherUntilMs] of restUntilMs) {
      if (otherUntilMs <= performance.now() || restUntilMs.size > MAX_RESTING) restUntilMs.delete(other);
    }
  }

  function find(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAtMs <= Date.now()) {
      remove(entry);
      return undefined;
    }
    requests.hits += 1;
    // Far below the bound nothing is evicted soon, so the order does not matter.
    if (usedBytes > maxBytes / 2) {
      entries.delete(key);
      entries.set(key, entry);
    }
    if (entry.isChosen && chosenBytes > (maxBytes * CHOSEN_SHARE) / 2) {
      chosen.delete(key);
      chosen.set(key, entry);
    }
    return entry;
  }

  async function load<T>(own: Load, before: Load | undefined, source: () => Promise<Loaded<T>>): Promise<T> {
    if (before) await turnOf(before.promise, isOn() ? null : MAX_TURN_MS);
    const waitMs = isOn() ? (restUntilMs.get(own.key) ?? 0) - performance.now() : 0;
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    restUntilMs.delete(own.key);
    own.isReading = true;
    // No notification will invalidate this value.
    own.outdated ||= !isOn();
    requests.misses += 1;
    const startedAtMs = performance.now();
    const {
      value,
      expiresAtMs = Number.POSITIVE_INFINITY,
      tags = own.tags,
      rests = false,
      bytes = 0,
      isChosen = false,
    } = await source();
    const endedAtMs = performance.now();
    const costMs = endedAtMs - startedAtMs;
    if (rests || costMs > EXPENSIVE_MS) rest(own.key, endedAtMs + Math.min(REST_FACTOR * costMs, MAX_REST_MS));
    if (!own.outdated && expiresAtMs > Date.now() && isOn())
      store({ key: own.key, tags, value, bytes: bytes + ENTRY_BYTES, expiresAtMs, isChosen });
    return value;
  }

  return {
    isUsable: isOn,
    generation: () => generation,
    getCached: (key) => (isOn() ? find(key)?.value : undefined),
    getOrLoad<T>(key: string, tags: readonly Tag[], source: () => Promise<Loaded<T>>): Promise<T> {
      const cached = isOn() ? find(key) : undefined;
      if (cached) return Promise.resolve(cached.value as T);
      const before = loads.get(key);
      // Without notifications, a read that has begun may have missed a write that came before this call.
      if (before && !before.outdated && (isOn() || !before.isReading)) return before.promise as Promise<T>;
      const own: Load = { key, tags, promise: Promise.resolve(), isReading: false, outdated: false };
      index.add(own);
      loads.set(key, own);
      const promise = load(own, before, source).finally(() => {
        index.remove(own);
        if (loads.get(key) === own) loads.delete(key);
      });
      own.promise = promise;
      return promise;
    },
    invalidate(tag) {
      for (const dependant of index.of(tag)) drop(dependant);
    },
    invalidateKind(kind) {
      for (const tag of index.tags()) {
        if (tag === kind || tag.startsWith(`${kind}:`)) for (const dependant of index.of(tag)) drop(dependant);
      }
    },
    invalidateAll() {
      generation += 1;
      for (const tag of index.tags()) for (const dependant of index.of(tag)) drop(dependant);
      entries.clear();
      chosen.clear();
      usedBytes = 0;
      chosenBytes = 0;
    },
    usage: () => ({
      entries: entries.size,
      bytes: usedBytes,
      resting: restUntilMs.size,
      tags: index.tags().length,
    }),
    requests: () => ({ ...requests }),
    setValidUntil(timeMs) {
      validUntilMs = timeMs;
    },
  };
}
