import fastify from 'fastify';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toCachedResponse, sendCached, sendPersonal } from './responses.ts';
import { type Cache, type Loaded, createCache } from './cache.ts';
import { applyNotification } from './notifications.ts';
import type { Tag } from './tags.ts';

/** A cache that may be used, and a source that counts how often it is asked. */
function setUp(options?: { maxBytes: number }) {
  const cache = createCache(options);
  cache.setValidUntil(Number.POSITIVE_INFINITY);
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

test('a loaded value stays cached until one of its tags is invalidated', async () => {
  const { cache, next } = setUp();
  expect(await cache.getOrLoad('a', ['stats:1', 'profiles'], next)).toBe(1);
  expect(await cache.getOrLoad('a', ['stats:1', 'profiles'], next)).toBe(1);
  expect(cache.getCached('a')).toBe(1);
  cache.invalidate('stats:2');
  expect(cache.getCached('a')).toBe(1);
  cache.invalidate('profiles');
  expect(cache.getCached('a')).toBeUndefined();
  expect(await cache.getOrLoad('a', ['stats:1', 'profiles'], next)).toBe(2);
});

test('a notification drops exactly the values that depend on a row that it names, or on any row of that kind', async () => {
  const { cache, next } = setUp();
  const tags: Tag[] = ['stats:1', 'stats:2', 'stats:12', 'stats', 'profiles:1'];
  for (const tag of tags) await cache.getOrLoad(tag, [tag], next);
  applyNotification(cache, 'u:1,2');
  expect(tags.filter((key) => cache.getCached(key) !== undefined)).toEqual(['stats:12', 'profiles:1']);
  applyNotification(cache, 'u:*');
  expect([cache.getCached('stats:12'), cache.getCached('profiles:1')]).toEqual([undefined, 5]);
});

describe('while no notifications arrive', () => {
  function setUpOff() {
    const cache = createCache();
    const [first, second] = [gate<string>(), gate<string>()];
    const sources = [first, second];
    let asked = 0;
    const source = () => (sources[asked++] ?? gate<string>()).load();
    return { cache, first, second, asked: () => asked, read: () => cache.getOrLoad('a', ['stats:1'], source) };
  }

  test('callers share a read that begins after all of them, so that a key is read once at a time', async () => {
    const { cache, first, second, asked, read } = setUpOff();
    const reading = read();
    await vi.waitFor(() => expect(asked()).toBe(1));
    // The running read may have missed what they know.
    const later = Array.from({ length: 100 }, read);
    expect(asked()).toBe(1);
    first.open({ value: 'early' });
    expect(await reading).toBe('early');
    await vi.waitFor(() => expect(asked()).toBe(2));
    second.open({ value: 'late' });
    expect(new Set(await Promise.all(later))).toEqual(new Set(['late']));
    expect(asked()).toBe(2);
    expect(cache.getCached('a')).toBeUndefined();
  });

  test('a value whose read began without notifications is not cached, even if they are back when it arrives', async () => {
    const { cache, first, second, asked, read } = setUpOff();
    const reading = read();
    await vi.waitFor(() => expect(asked()).toBe(1));
    cache.setValidUntil(Number.POSITIVE_INFINITY);
    const later = read();
    first.open({ value: 'early' });
    expect(await reading).toBe('early');
    expect(cache.getCached('a')).toBeUndefined();
    second.open({ value: 'late' });
    expect(await later).toBe('late');
    expect(cache.getCached('a')).toBe('late');
  });
});

test('values of keys that clients choose displace each other within a quarter of the memory, and nothing else', async () => {
  const { cache } = setUp({ maxBytes: 1_000_000 });
  await cache.getOrLoad('own', ['projects'], async () => ({ value: 'own', bytes: 500_000 }));
  const load = (key: string, bytes: number) =>
    cache.getOrLoad(key, ['projects'], async () => ({ value: key, bytes, isChosen: true }));
  for (const limit of [1, 2, 3, 4]) await load(`limit ${limit}`, 80_000);
  const kept = () =>
    ['own', 'limit 1', 'limit 2', 'limit 3', 'limit 4'].filter((key) => cache.getCached(key) !== undefined);
  expect(kept()).toEqual(['own', 'limit 2', 'limit 3', 'limit 4']);
  // Least recently used, not oldest.
  cache.getCached('limit 2');
  await load('limit 5', 80_000);
  expect(kept()).toEqual(['own', 'limit 2', 'limit 4']);
  expect(await load('too large', 400_000)).toBe('too large');
  expect(cache.getCached('too large')).toBeUndefined();
  expect(kept()).toEqual(['own', 'limit 2', 'limit 4']);
  cache.invalidate('projects');
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
});

test('callers at the same time share one load, and its failure, which is not cached', async () => {
  const { cache, next } = setUp();
  const { load, fail } = gate<number>();
  const both = [cache.getOrLoad('a', ['stats:1'], load), cache.getOrLoad('a', ['stats:1'], next)];
  fail(new Error('no'));
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await cache.getOrLoad('a', ['stats:1'], next)).toBe(1);
});

test('a value read before a write is neither cached nor given to a later call', async () => {
  const { cache } = setUp();
  const early = gate<string>();
  const first = cache.getOrLoad('a', ['stats:1'], early.load);
  cache.invalidate('stats:1');
  const second = cache.getOrLoad('a', ['stats:1'], async () => ({ value: 'after' }));
  early.open({ value: 'before' });
  expect(await first).toBe('before');
  expect(await second).toBe('after');
  expect(cache.getCached('a')).toBe('after');
});

test.each([
  ['a tag', (cache: Cache) => cache.invalidate('stats:1')],
  ['a kind', (cache: Cache) => cache.invalidateKind('stats')],
  ['everything', (cache: Cache) => cache.invalidateAll()],
])('a value that is being read while %s is invalidated is not cached', async (_what, invalidate) => {
  const { cache } = setUp();
  const { load, open } = gate<number>();
  const first = cache.getOrLoad('a', ['stats:1'], load);
  invalidate(cache);
  open({ value: 1 });
  await first;
  expect(cache.getCached('a')).toBeUndefined();
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
});

test('a value may declare its own tags and its end', async () => {
  const { cache } = setUp();
  await cache.getOrLoad('a', ['sessions'], async () => ({ value: 1, tags: ['sessions:7'] }));
  cache.invalidate('sessions');
  expect(cache.getCached('a')).toBe(1);
  cache.invalidate('sessions:7');
  expect(cache.getCached('a')).toBeUndefined();
  await cache.getOrLoad('b', ['sessions'], async () => ({ value: 1, expiresAtMs: Date.now() - 1 }));
  expect(cache.getCached('b')).toBeUndefined();
});

test('an expired value takes no room: clients can send any number of unknown tokens', async () => {
  const { cache } = setUp();
  for (let at = 0; at < 10; at += 1)
    expect(
      await cache.getOrLoad(`session:${at}`, ['sessions'], async () => ({ value: null, expiresAtMs: 0 })),
    ).toBeNull();
  expect(cache.usage()).toMatchObject({ entries: 0, bytes: 0 });
});

test('a value is used until its end, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  try {
    const { cache, next } = setUp();
    await cache.getOrLoad('a', ['sessions'], async () => ({ value: 99, expiresAtMs: 2_000 }));
    vi.setSystemTime(1_999);
    expect(cache.getCached('a')).toBe(99);
    vi.setSystemTime(2_000);
    expect(await cache.getOrLoad('a', ['sessions'], next)).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('the least recently used value is dropped when there is no room', async () => {
  const { cache, next } = setUp({ maxBytes: 1_500 });
  for (const key of ['a', 'b']) await cache.getOrLoad(key, ['sessions'], next);
  cache.getCached('a');
  await cache.getOrLoad('c', ['sessions'], next);
  expect([cache.getCached('a'), cache.getCached('b'), cache.getCached('c')]).toEqual([1, undefined, 3]);
});

test('an expensive value is loaded once at a time, with pauses, during a storm of writes', async () => {
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
    cache.invalidate('counts');
    responses.push(cache.getOrLoad('ranked', ['counts'], expensive));
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(80);
  const values = await Promise.all(responses);
  // Each load takes 20 ms, and a rest of three times as long follows it.
  expect(startsMs).toEqual([0, 80, 160, 240, 320, 400]);
  expect(values.toSorted((one, other) => one - other)).toEqual(values);
});

/** A server that sends this text as a shared response, and as one for a single user. */
function sending(text: string) {
  const app = fastify();
  const cached = toCachedResponse(text);
  app.get('/cached', (request, reply) => sendCached(request, reply, cached));
  app.get('/personal', (request, reply) =>
    sendPersonal(request, reply, { json: Buffer.from(cached.text), etag: cached.etag }),
  );
  onTestFinished(() => app.close());
  const read = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { 'accept-encoding': 'br', ...headers } });
  return { cached, read };
}

describe.each(['/cached', '/personal'])('a response sent as %s', (url) => {
  test('a response is compressed from 1,024 characters on, and varies by Accept-Encoding', async () => {
    const form = async (characters: number) => {
      const { headers } = await sending('x'.repeat(characters - 2)).read(url);
      return [headers['content-type'], headers['content-encoding'], headers['vary']];
    };
    const type = 'application/json; charset=utf-8';
    expect(await form(1_023)).toEqual([type, undefined, undefined]);
    expect(await form(1_024)).toEqual([type, 'br', 'Accept-Encoding']);
  });

  test.each([
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0,gzip;q=0', undefined],
    ['gzip;q=0.5, BR', 'br'],
    ['brotli', undefined],
  ])('a response is sent to a client that accepts "%s" as %s', async (accepted, encoding) => {
    const { headers } = await sending('x'.repeat(2_000)).read(url, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
  });

  test('a client that has the response gets 304, and one that has none or another gets it whole', async () => {
    const { cached, read } = sending('short');
    const status = async (known?: string) =>
      (await read(url, known === undefined ? {} : { 'if-none-match': known })).statusCode;
    expect(
      await Promise.all([cached.etag, `W/"other", ${cached.etag}`, `${cached.etag},W/"other"`].map(status)),
    ).toEqual([304, 304, 304]);
    expect(await Promise.all([status(), status('W/"other"'), status('')])).toEqual([200, 200, 200]);
  });
});
