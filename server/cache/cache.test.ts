import { brotliDecompressSync } from 'node:zlib';
import fastify from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toCachedResponse, sendCached, sendPersonal } from './responses.ts';
import { type Cache, type Loaded, createCache } from './cache.ts';
import { applyNotice } from './notices.ts';

/** A cache that may be used, and a source that counts how often it is asked. */
function setUp(options?: { maxBytes: number }) {
  const cache = createCache(options);
  cache.trustUntil(Number.POSITIVE_INFINITY);
  let asked = 0;
  const next = async (): Promise<Loaded<number>> => ({ value: ++asked });
  return { cache, next, asked: () => asked };
}

/** A load that ends when told to. */
function gate<T>() {
  let open: (value: Loaded<T>) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<Loaded<T>>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { load: () => promise, open, fail };
}

test('what was loaded is answered from memory until one of its topics is forgotten', async () => {
  const { cache, next } = setUp();
  expect(await cache.remember('a', ['u:1', 'n'], next)).toBe(1);
  expect(await cache.remember('a', ['u:1', 'n'], next)).toBe(1);
  expect(cache.peek('a')).toBe(1);
  cache.forget('u:2');
  expect(cache.peek('a')).toBe(1);
  cache.forget('n');
  expect(cache.peek('a')).toBeUndefined();
  expect(await cache.remember('a', ['u:1', 'n'], next)).toBe(2);
});

test('a kind is forgotten with all its ids', async () => {
  const { cache, next } = setUp();
  for (const id of [1, 2]) await cache.remember(`a${id}`, [`u:${id}`], next);
  await cache.remember('b', ['us'], next);
  cache.forgetKind('u');
  expect([cache.peek('a1'), cache.peek('a2'), cache.peek('b')]).toEqual([undefined, undefined, 3]);
});

test('a notification drops what depends on each that it names, or on any of the kind, and nothing else', async () => {
  const { cache, next } = setUp();
  for (const topic of ['u:1', 'u:2', 'u:12', 'u', 'n:1']) await cache.remember(topic, [topic], next);
  applyNotice(cache, 'u:1,2');
  const kept = ['u:1', 'u:2', 'u:12', 'u', 'n:1'].filter((key) => cache.peek(key) !== undefined);
  expect(kept).toEqual(['u:12', 'n:1']);
  applyNotice(cache, 'u:*');
  expect([cache.peek('u:12'), cache.peek('n:1')]).toEqual([undefined, 5]);
});

test('nothing is held or answered from memory while nobody tells of changes', async () => {
  const { cache, next } = setUp();
  await cache.remember('a', ['u:1'], next);
  cache.trustUntil(0);
  expect(cache.peek('a')).toBeUndefined();
  expect(await cache.remember('a', ['u:1'], next)).toBe(2);
  expect(await cache.remember('a', ['u:1'], next)).toBe(3);
});

test('callers at the same time share one load, and its failure, which is not held', async () => {
  const { cache, next } = setUp();
  const { load, fail } = gate<number>();
  const both = [cache.remember('a', ['u:1'], load), cache.remember('a', ['u:1'], next)];
  fail(new Error('no'));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await cache.remember('a', ['u:1'], next)).toBe(1);
});

test('what was read before a write is neither held nor given to whoever asks after it', async () => {
  const { cache } = setUp();
  const early = gate<string>();
  const first = cache.remember('a', ['u:1'], early.load);
  cache.forget('u:1');
  const second = cache.remember('a', ['u:1'], async () => ({ value: 'after' }));
  early.open({ value: 'before' });
  expect(await first).toBe('before');
  expect(await second).toBe('after');
  expect(cache.peek('a')).toBe('after');
});

test('what was read before a write is not held either when nobody asks meanwhile', async () => {
  const { cache, next } = setUp();
  const early = gate<number>();
  const first = cache.remember('a', ['u:1'], early.load);
  cache.forget('u:1');
  early.open({ value: 99 });
  expect(await first).toBe(99);
  expect(cache.peek('a')).toBeUndefined();
  expect(await cache.remember('a', ['u:1'], next)).toBe(1);
});

test.each([
  ['a topic', (cache: Cache) => cache.forget('u:1')],
  ['a kind', (cache: Cache) => cache.forgetKind('u')],
  ['everything', (cache: Cache) => cache.forgetAll()],
])('what is being read while %s is forgotten is not held', async (_what, forget) => {
  const { cache } = setUp();
  const { load, open } = gate<number>();
  const first = cache.remember('a', ['u:1'], load);
  forget(cache);
  open({ value: 1 });
  await first;
  expect(cache.peek('a')).toBeUndefined();
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
});

test('a value may say itself what it depends on, and until when it is true', async () => {
  const { cache } = setUp();
  await cache.remember('a', ['s'], async () => ({ value: 1, topics: ['s:7'] }));
  cache.forget('s');
  expect(cache.peek('a')).toBe(1);
  cache.forget('s:7');
  expect(cache.peek('a')).toBeUndefined();
  await cache.remember('b', ['s'], async () => ({ value: 1, expiresAtMs: Date.now() - 1 }));
  expect(cache.peek('b')).toBeUndefined();
});

test('what is over already takes no room: anybody can ask for as many sessions that do not exist', async () => {
  const { cache } = setUp();
  for (let at = 0; at < 10; at += 1)
    expect(await cache.remember(`session:${at}`, ['s'], async () => ({ value: null, expiresAtMs: 0 }))).toBeNull();
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
});

test('a value is used before it ends, and not at its end', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  try {
    const { cache, next } = setUp();
    await cache.remember('a', ['s'], async () => ({ value: 99, expiresAtMs: 2_000 }));
    vi.setSystemTime(1_999);
    expect(cache.peek('a')).toBe(99);
    vi.setSystemTime(2_000);
    expect(await cache.remember('a', ['s'], next)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('dropping everything begins a new generation, a single change does not', () => {
  const { cache } = setUp();
  const before = cache.generation();
  cache.forget('s');
  cache.forgetKind('s');
  expect(cache.generation()).toBe(before);
  cache.forgetAll();
  expect(cache.generation()).not.toBe(before);
});

test('the least recently used goes when there is no room', async () => {
  const { cache, next } = setUp({ maxBytes: 1_500 });
  for (const key of ['a', 'b']) await cache.remember(key, [key], next);
  cache.peek('a');
  await cache.remember('c', ['c'], next);
  expect([cache.peek('a'), cache.peek('b'), cache.peek('c')]).toEqual([1, undefined, 3]);
});

test('room is counted in bytes: a large value pushes out many small ones, and what is dropped is free again', async () => {
  const { cache, next } = setUp({ maxBytes: 100_000 });
  for (let at = 0; at < 1_000; at += 1) await cache.remember(`small ${at}`, ['s'], next);
  expect(cache.usage().bytes).toBeLessThanOrEqual(100_000);
  expect(cache.usage().entries).toBeGreaterThan(100);
  await cache.remember('large', ['l'], async () => ({ value: 1, bytes: 90_000 }));
  expect(cache.peek('large')).toBe(1);
  expect(cache.usage().entries).toBeLessThan(20);
  await cache.remember('too large', ['l'], async () => ({ value: 1, bytes: 200_000 }));
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
  for (const forget of [() => cache.forget('s'), () => cache.forgetKind('s'), () => cache.forgetAll()]) {
    await cache.remember('a', ['s'], next);
    forget();
    expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
  }
});

test('keys that rest are forgotten again, however many were expensive at once', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { cache } = setUp();
    const { load, open } = gate<number>();
    const loads = Array.from({ length: 5_000 }, (_, at) => cache.remember(`${at}`, ['s'], load));
    vi.advanceTimersByTime(1_000);
    open({ value: 1 });
    await Promise.all(loads);
    expect(cache.usage().resting).toBe(1_000);
  } finally {
    vi.useRealTimers();
  }
});

test('a key rests after each load that says so, whatever it cost', async () => {
  const { cache } = setUp();
  await cache.remember('a', ['s'], async () => ({ value: 1 }));
  expect(cache.usage().resting).toBe(0);
  await cache.remember('b', ['s'], async () => ({ value: 1, rests: true }));
  expect(cache.usage().resting).toBe(1);
});

test('what was loaded and dropped leaves nothing behind, not even the names of what it depended on', async () => {
  const { cache, next } = setUp();
  for (let at = 0; at < 10; at += 1) {
    await cache.remember(`a${at}`, [`u:${at}`, 'n'], next);
    cache.forget(`u:${at}`);
  }
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0, topics: 0 });
  await cache.remember('independent', [], next);
  cache.forgetAll();
  expect(cache.peek('independent')).toBeUndefined();
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0, topics: 0 });
});

describe('a storm of writes', () => {
  test('does not become one of reads: an expensive value is loaded one at a time, with rests', async () => {
    const { cache } = setUp();
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const startMs = performance.now();
    const startsMs: number[] = [];
    let running = 0;
    const expensive = async (): Promise<Loaded<number>> => {
      running += 1;
      startsMs.push(performance.now() - startMs);
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return { value: startsMs.length };
    };
    const responses: Promise<number>[] = [];
    for (let ms = 0; ms < 400; ms += 1) {
      cache.forget('c');
      responses.push(cache.remember('ranked', ['c'], expensive));
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(80);
    const values = await Promise.all(responses);
    // Each load takes 20 ms, and a rest of three times as long follows it.
    expect(startsMs).toEqual([0, 80, 160, 240, 320, 400]);
    expect(values.toSorted((one, other) => one - other)).toEqual(values);
  });
});

/** A server that sends this text in the way that everybody gets it, and in the one for a single user. */
function sending(text: string) {
  const app = fastify();
  const held = toCachedResponse(text);
  app.get('/held', (request, reply) => sendCached(request, reply, held));
  app.get('/personal', (request, reply) =>
    sendPersonal(request, reply, { json: Buffer.from(held.text), etag: held.etag }),
  );
  onTestFinished(() => app.close());
  const read = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { 'accept-encoding': 'br', ...headers } });
  return { held, read };
}

describe.each(['/held', '/personal'])('a response sent as %s', (url) => {
  test('is compressed from 1,024 characters on, and says that it depends on what the client can read', async () => {
    const form = async (characters: number) => {
      const { headers } = await sending('x'.repeat(characters - 2)).read(url);
      return [headers['content-type'], headers['content-encoding'], headers['vary']];
    };
    const type = 'application/json; charset=utf-8';
    expect(await form(1_023)).toEqual([type, undefined, undefined]);
    expect(await form(1_024)).toEqual([type, 'br', 'Accept-Encoding']);
  });

  test('is 304 for a client that has it among others, and sent whole to one that has none or another', async () => {
    const { held, read } = sending('short');
    const status = async (known?: string) =>
      (await read(url, known === undefined ? {} : { 'if-none-match': known })).statusCode;
    expect(await Promise.all([held.etag, `W/"other", ${held.etag}`, `${held.etag},W/"other"`].map(status))).toEqual([
      304, 304, 304,
    ]);
    expect(await Promise.all([status(), status('W/"other"'), status('')])).toEqual([200, 200, 200]);
  });
});

test('a response whose compression failed is answered with 500, uncompressed, and compressed anew for the next', async () => {
  const { held, read } = sending('text '.repeat(1_000));
  held.encoded.set('br', Promise.reject(new Error('out of memory')));
  const failed = await read('/held');
  expect([failed.statusCode, failed.headers['content-encoding']]).toEqual([500, undefined]);
  expect(failed.json()).toMatchObject({ message: 'out of memory' });
  const next = await read('/held');
  expect([next.statusCode, next.headers['content-encoding']]).toEqual([200, 'br']);
  expect(brotliDecompressSync(next.rawPayload).toString()).toBe(held.text);
});
