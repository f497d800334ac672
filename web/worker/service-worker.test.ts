import { beforeEach, expect, test, vi } from 'vitest';
import { CACHE_PREFIX, RELEASE_CACHE_PREFIX, SHELL_PATH } from '#shared/site/offline.ts';
import type { LastingEvent, RequestEvent, WorkerScope } from './scope.ts';
import { startWorker } from './service-worker.ts';

const ORIGIN = 'https://snapswipe.test';
const urlOf = (request: RequestInfo | URL): string =>
  new URL(typeof request === 'object' && 'url' in request ? request.url : String(request), ORIGIN).href;

class Stores {
  readonly byName = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const files = this.byName.get(name) ?? new Map<string, Response>();
    this.byName.set(name, files);
    return {
      put: async (request: RequestInfo | URL, response: Response) => void files.set(urlOf(request), response),
      match: async (request: RequestInfo | URL) => files.get(urlOf(request))?.clone(),
      keys: async () => [...files.keys()].map((url) => ({ url })),
    };
  }

  async match(request: RequestInfo | URL, { cacheName }: { cacheName?: string } = {}) {
    for (const [name, files] of this.byName) {
      const found = cacheName === undefined || name === cacheName ? files.get(urlOf(request)) : undefined;
      if (found) return found.clone();
    }
    return undefined;
  }

  keys = async () => [...this.byName.keys()];
  delete = async (name: string) => this.byName.delete(name);
}

let stores: Stores;
let network: Record<string, string>;
let fetched: string[];

beforeEach(() => {
  stores = new Stores();
  fetched = [];
  network = {
    [SHELL_PATH]: '<script src="/assets/index-1.js">',
    '/assets/index-1.js': 'one',
    '/assets/home-1.js': 'home',
  };
});

async function fetchFrom(request: RequestInfo | URL): Promise<Response> {
  const { pathname } = new URL(urlOf(request));
  fetched.push(pathname);
  const body = network[pathname];
  if (body === undefined) throw new TypeError('Failed to fetch');
  if (body === 'silence') return new Promise(() => undefined);
  const status = body.endsWith('gone') ? 404 : Number(/^\d{3}/.exec(body)?.[0]) || 200;
  return new Response(body, { status, headers: { 'content-type': body.startsWith('<') ? 'text/html' : 'text/plain' } });
}

function workerOf(number: number) {
  const listeners = new Map<string, (event: RequestEvent) => void>();
  let hasSkipped = false;
  startWorker({
    RELEASE: { id: String(number), files: [`/assets/index-${number}.js`, `/assets/home-${number}.js`] },
    location: { origin: ORIGIN },
    caches: stores as unknown as CacheStorage,
    registration: {} as WorkerScope['registration'],
    clients: { matchAll: async () => [], openWindow: async () => undefined },
    fetch: fetchFrom,
    skipWaiting: async () => {
      hasSkipped = true;
    },
    addEventListener: (type, listener) => void listeners.set(type, listener as (event: RequestEvent) => void),
  });
  const last = async (type: string) => {
    let work: Promise<unknown> = Promise.resolve();
    const event = { waitUntil: (next) => void (work = next) } satisfies Partial<LastingEvent>;
    listeners.get(type)?.(event as RequestEvent);
    await work;
  };
  return {
    install: () => last('install'),
    activate: () => last('activate'),
    hasSkipped: () => hasSkipped,
    async ask(path: string, { mode = 'no-cors', method = 'GET', destination = '' } = {}): Promise<string | null> {
      const works: Array<Promise<unknown>> = [];
      let response: Promise<Response> | null = null;
      // Only a browser makes requests of this mode and for this use.
      const request = Object.defineProperties(new Request(urlOf(path), { method }), {
        mode: { value: mode },
        destination: { value: destination },
      });
      listeners.get('fetch')?.({
        request,
        respondWith: (next: Promise<Response>) => void (response = next),
        waitUntil: (work: Promise<unknown>) => void works.push(work),
      } as unknown as RequestEvent);
      const text = response === null ? null : await (await (response as Promise<Response>)).text();
      await Promise.all(works);
      return text;
    },
  };
}

const releases = () => [...stores.byName.keys()].filter((name) => name.startsWith(RELEASE_CACHE_PREFIX));

test('a release is stored whole before the worker takes over, its shell last', async () => {
  const worker = workerOf(1);
  await worker.install();
  expect(worker.hasSkipped()).toBe(true);
  const files = [...(stores.byName.get(`${RELEASE_CACHE_PREFIX}1`)?.keys() ?? [])];
  expect(files.map((url) => new URL(url).pathname)).toEqual(['/assets/index-1.js', '/assets/home-1.js', SHELL_PATH]);
});

test('a release is not stored when the server has changed to another one', async () => {
  const worker = workerOf(2);
  await expect(worker.install()).rejects.toThrow('another release');
  expect(worker.hasSkipped()).toBe(false);
  expect(releases()).toEqual([]);
});

test('a release is not activated when one of its files is missing', async () => {
  delete network['/assets/home-1.js'];
  const worker = workerOf(1);
  await expect(worker.install()).rejects.toThrow();
  expect(worker.hasSkipped()).toBe(false);
});

test('the next release keeps the previous one for open tabs, and deletes the one before and what an earlier version stored', async () => {
  for (const number of [1, 2, 3]) await stores.open(RELEASE_CACHE_PREFIX + number);
  await stores.open(`${CACHE_PREFIX}pictures`);
  await stores.open('of another app');
  await workerOf(3).activate();
  expect([...stores.byName.keys()]).toEqual([`${RELEASE_CACHE_PREFIX}2`, `${RELEASE_CACHE_PREFIX}3`, 'of another app']);
});

test("a worker's script is left to the browser, because WebKit starts none from a fetched response [R64 R81]", async () => {
  network['/assets/own-record-1.js'] = 'check';
  expect(await workerOf(1).ask('/assets/own-record-1.js', { destination: 'worker' })).toBeNull();
  expect(await workerOf(1).ask('/assets/own-record-1.js', { destination: 'script' })).toBe('check');
});

const SHELL = '<script src="/assets/index-1.js">';
const asDocument = { mode: 'navigate' };

test('a document comes from the network, so that an upgrade shows at once', async () => {
  const worker = workerOf(1);
  await worker.install();
  network['/leaderboard'] = 'a new release';
  expect(await worker.ask('/leaderboard?sort=new', asDocument)).toBe('a new release');
});

test('a document is the stored shell without a network, and is never stored itself', async () => {
  const worker = workerOf(1);
  await worker.install();
  network['/'] = 'data of a user';
  expect(await worker.ask('/', asDocument)).toBe('data of a user');
  network = {};
  expect(await worker.ask('/', asDocument)).toBe(SHELL);
  expect(await worker.ask('/portfolio', asDocument)).toBe(SHELL);
});

test.each(['502 Bad Gateway', '503 Busy', '504 Gateway Timeout'])(
  'a document is the stored shell in place of a proxy’s %s, which is shown where nothing is stored [R99]',
  async (words) => {
    const worker = workerOf(1);
    await worker.install();
    network['/leaderboard'] = words;
    expect(await worker.ask('/leaderboard', asDocument)).toBe(SHELL);
    stores = new Stores();
    expect(await workerOf(1).ask('/leaderboard', asDocument)).toBe(words);
  },
);

test('a document is the stored shell where no answer comes within eight seconds [R99]', async () => {
  vi.useFakeTimers();
  const worker = workerOf(1);
  await worker.install();
  network['/leaderboard'] = 'silence';
  const shown = worker.ask('/leaderboard', asDocument);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await shown).toBe(SHELL);
  vi.useRealTimers();
});

test("a portal's page is not taken for a file, and no release stores it [R99]", async () => {
  const worker = workerOf(1);
  network['/assets/home-1.js'] = '<title>Sign in to the network</title>';
  await expect(worker.install()).rejects.toThrow('The server is away');
  await expect(worker.ask('/assets/home-1.js')).rejects.toThrow('The server is away');
  expect(await stores.match('/assets/home-1.js')).toBeUndefined();
});

test('a document fails without a network and without a stored shell', async () => {
  network = {};
  await expect(workerOf(1).ask('/', asDocument)).rejects.toThrow('Failed to fetch');
});

test.each([
  '/api/openapi.json',
  '/api/supply',
  '/embed/coral',
  '/badge/coral.svg',
  '/images/1.webp',
  '/sitemap.xml',
  '/log/checkpoint',
])("a request outside of the app's pages is left to the browser: %s", async (path) => {
  expect(await workerOf(1).ask(path, asDocument)).toBeNull();
  expect(fetched).toEqual([]);
});

test('an API call and a picture are left to the browser', async () => {
  const worker = workerOf(1);
  for (const method of ['GET', 'POST', 'DELETE'])
    expect(await worker.ask('/api/users/7/stats', { method, mode: 'cors' })).toBeNull();
  expect(await worker.ask('/images/ab12-640.webp')).toBeNull();
  expect(await worker.ask('/', { method: 'POST', mode: 'navigate' })).toBeNull();
  expect(await worker.ask('https://elsewhere.example/assets/index-1.js')).toBeNull();
  expect(stores.byName.size).toBe(0);
});

test('a file of any release comes from the store, and is stored when fetched', async () => {
  const worker = workerOf(1);
  await worker.install();
  fetched = [];
  expect(await worker.ask('/assets/home-1.js')).toBe('home');
  network['/assets/chart-1.js'] = 'chart';
  expect(await worker.ask('/assets/chart-1.js')).toBe('chart');
  expect(await worker.ask('/assets/chart-1.js')).toBe('chart');
  expect(fetched).toEqual(['/assets/chart-1.js']);
  network = {};
  expect(await worker.ask('/assets/chart-1.js')).toBe('chart');
});

test('a file that is missing after an upgrade is not stored', async () => {
  const worker = workerOf(1);
  network['/assets/old-0.js'] = 'gone';
  expect(await worker.ask('/assets/old-0.js')).toBe('gone');
  expect(await stores.match('/assets/old-0.js')).toBeUndefined();
});
