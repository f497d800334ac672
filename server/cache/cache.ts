/** A value and the time from which it may differ although nothing was written, such as the end of a voting window. */
export interface Loaded<T> {
  value: T;
  expiresAtMs?: number;
  /** What the value depends on, where that is known only now; while it is loaded, the topics of `remember` count. */
  topics?: readonly string[];
  /** How much memory it takes, where that is more than a few numbers. */
  bytes?: number;
  /** Rests after each load, as something expensive does, whatever it cost. */
  rests?: boolean;
}

export interface Cache {
  /** Whether values may be used now; while they may not, every read asks the database. */
  isUsable(): boolean;
  /** Changes each time that everything was dropped. */
  generation(): number;
  /** The value held under `key`, or undefined when there is none that may be used now. */
  peek(key: string): unknown;
  /**
   * The value held under `key`, or else what `load` brings, which is then held until one of its topics is forgotten. Several
   * callers share one load; whoever calls after a write never gets what was read before it. While the cache is off, every
   * call loads.
   */
  remember<T>(key: string, topics: readonly string[], load: () => Promise<Loaded<T>>): Promise<T>;
  /** Drops what depends on a topic, such as 'u:12' (counters of user 12) or 'u' (counters of anybody). */
  forget(topic: string): void;
  /** Drops everything of a kind, whatever its id. */
  forgetKind(kind: string): void;
  /** Drops everything. */
  forgetAll(): void;
  /** What is held now, how many keys rest, and how many topics something depends on. */
  usage(): { entries: number; bytes: number; resting: number; topics: number };
  /** May be used until then (Date.now()): as long as it is known that changes are being told. Off to begin with. */
  trustUntil(timeMs: number): void;
}

/** What depends on topics: a value that is held, or one that is on its way. */
interface Dependant {
  key: string;
  topics: readonly string[];
}

interface Entry extends Dependant {
  value: unknown;
  bytes: number;
  expiresAtMs: number;
}

interface Load extends Dependant {
  promise: Promise<unknown>;
  /** Has begun to read; until then no write can come too late for it. */
  isReading: boolean;
  /** A topic was forgotten while it read: the result answers those who asked before, and is not held. */
  outdated: boolean;
}

/** Something expensive is not loaded again before this multiple of its cost has passed: a storm of writes must not become one of reads. */
const REST_FACTOR = 4;
const EXPENSIVE_MS = 5;

/** What an entry takes beside its value: key, topics, and its places in the maps. */
const ENTRY_BYTES = 600;
/** Keys that rest, at most; anybody can ask for as many as he likes. */
const MAX_RESTING = 1_000;

/** Dependants by topic. */
function createIndex() {
  const byTopic = new Map<string, Set<Dependant>>();
  return {
    add(dependant: Dependant) {
      for (const topic of dependant.topics) {
        const group = byTopic.get(topic);
        if (group) group.add(dependant);
        else byTopic.set(topic, new Set([dependant]));
      }
    },
    remove(dependant: Dependant) {
      for (const topic of dependant.topics) {
        const group = byTopic.get(topic);
        group?.delete(dependant);
        if (group?.size === 0) byTopic.delete(topic);
      }
    },
    of: (topic: string): Dependant[] => [...(byTopic.get(topic) ?? [])],
    topics: (): string[] => [...byTopic.keys()],
  };
}

/**
 * What a server holds in memory of the database, the least recently used first to go. `notices.ts` keeps it true. Bounded by
 * bytes: how large a value is, and how many there are, is up to whoever asks.
 */
export function createCache({ maxBytes = 48 * 1024 * 1024 }: { maxBytes?: number } = {}): Cache {
  const entries = new Map<string, Entry>();
  const loads = new Map<string, Load>();
  const index = createIndex();
  /** When something expensive may be loaded again (performance.now()). */
  const restUntilMs = new Map<string, number>();
  let usedBytes = 0;
  let trustedUntilMs = 0;
  let generation = 0;
  const isOn = (): boolean => Date.now() < trustedUntilMs;

  function remove(entry: Entry): void {
    if (entries.delete(entry.key)) usedBytes -= entry.bytes;
    index.remove(entry);
  }

  function drop(dependant: Dependant): void {
    if ('promise' in dependant) (dependant as Load).outdated = (dependant as Load).isReading;
    else remove(dependant as Entry);
  }

  function hold(entry: Entry): void {
    const previous = entries.get(entry.key);
    if (previous) remove(previous);
    entries.set(entry.key, entry);
    usedBytes += entry.bytes;
    index.add(entry);
    // The first of a Map is what was put there longest ago, and `find` puts what is used to the end.
    for (const oldest of entries.values()) {
      if (usedBytes <= maxBytes) break;
      remove(oldest);
    }
  }

  /** Has a key rest; forgets those whose time has passed, and beyond the bound the one that has rested longest. */
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
    // Far from full nobody has to go soon, and the order does not matter.
    if (usedBytes > maxBytes / 2) {
      entries.delete(key);
      entries.set(key, entry);
    }
    return entry;
  }

  async function load<T>(own: Load, before: Load | undefined, source: () => Promise<Loaded<T>>): Promise<T> {
    if (before) await before.promise.catch(() => undefined);
    const waitMs = (restUntilMs.get(own.key) ?? 0) - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    restUntilMs.delete(own.key);
    own.isReading = true;
    const startedAtMs = performance.now();
    const {
      value,
      expiresAtMs = Number.POSITIVE_INFINITY,
      topics = own.topics,
      rests = false,
      bytes = 0,
    } = await source();
    const costMs = performance.now() - startedAtMs;
    if (rests || costMs > EXPENSIVE_MS) rest(own.key, startedAtMs + REST_FACTOR * costMs);
    if (!own.outdated && expiresAtMs > Date.now())
      hold({ key: own.key, topics, value, bytes: bytes + ENTRY_BYTES, expiresAtMs });
    return value;
  }

  return {
    isUsable: isOn,
    generation: () => generation,
    peek: (key) => (isOn() ? find(key)?.value : undefined),
    remember<T>(key: string, topics: readonly string[], source: () => Promise<Loaded<T>>): Promise<T> {
      if (!isOn()) return source().then(({ value }) => value);
      const held = find(key);
      if (held) return Promise.resolve(held.value as T);
      const before = loads.get(key);
      if (before && !before.outdated) return before.promise as Promise<T>;
      const own: Load = { key, topics, promise: Promise.resolve(), isReading: false, outdated: false };
      index.add(own);
      loads.set(key, own);
      const promise = load(own, before, source).finally(() => {
        index.remove(own);
        if (loads.get(key) === own) loads.delete(key);
      });
      own.promise = promise;
      return promise;
    },
    forget(topic) {
      for (const dependant of index.of(topic)) drop(dependant);
    },
    forgetKind(kind) {
      for (const topic of index.topics()) {
        if (topic === kind || topic.startsWith(`${kind}:`)) for (const dependant of index.of(topic)) drop(dependant);
      }
    },
    forgetAll() {
      generation += 1;
      for (const topic of index.topics()) for (const dependant of index.of(topic)) drop(dependant);
      entries.clear();
      usedBytes = 0;
    },
    usage: () => ({
      entries: entries.size,
      bytes: usedBytes,
      resting: restUntilMs.size,
      topics: index.topics().length,
    }),
    trustUntil(timeMs) {
      trustedUntilMs = timeMs;
    },
  };
}
