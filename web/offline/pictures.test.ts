// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { PICTURE_CACHE } from '#shared/offline.ts';
import { deletePictures, keepPictures } from './pictures.ts';

/** The browser's stores by name, as far as pictures need them: paths with what is stored of each. */
let stores: Map<string, Map<string, Response>>;
/** Pictures on the server; anything else is a 404. */
let pictures: Record<string, string>;
let fetched: string[];

function openStore(name: string) {
  const files = stores.get(name) ?? new Map<string, Response>();
  stores.set(name, files);
  return {
    match: async (path: string) => files.get(path)?.clone(),
    put: async (path: string, response: Response) => void files.set(path, response),
    keys: async () => [...files.keys()].map((path) => ({ url: `http://localhost${path}` })),
    delete: async (request: string | { url: string }) =>
      files.delete(typeof request === 'string' ? request : new URL(request.url).pathname),
  };
}
const stored = () => [...(stores.get(PICTURE_CACHE)?.keys() ?? [])];
const imageOf = (name: string) => `/images/${name}.webp`;
const pathOf = (name: string) => `/images/${name}-640.webp`;

function browserWith({ hasWorker = true, saveData = false } = {}): void {
  const define = (name: string, value: unknown) =>
    Object.defineProperty(navigator, name, { value, configurable: true });
  define('serviceWorker', { getRegistration: async () => (hasWorker ? { active: {} } : undefined) });
  define('connection', { saveData });
}

beforeEach(() => {
  stores = new Map();
  fetched = [];
  pictures = { [pathOf('a')]: '12345', [pathOf('b')]: '12345', [pathOf('c')]: '12345' };
  browserWith();
  vi.stubGlobal('caches', {
    open: async (name: string) => openStore(name),
    delete: async (name: string) => stores.delete(name),
  });
  vi.stubGlobal('fetch', async (path: string) => {
    fetched.push(path);
    const headers = { date: new Date().toUTCString() };
    return new Response(pictures[path] ?? 'not found', { status: path in pictures ? 200 : 404, headers });
  });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  Reflect.deleteProperty(navigator, 'connection');
  vi.unstubAllGlobals();
});

test('pictures of the deck are fetched once, and those of removed cards are deleted', async () => {
  await keepPictures([imageOf('a'), imageOf('b'), 'https://elsewhere.test/x.webp']);
  expect(stored()).toEqual([pathOf('a'), pathOf('b')]);
  await keepPictures([imageOf('b'), imageOf('c')]);
  expect(stored()).toEqual([pathOf('b'), pathOf('c')]);
  expect(fetched).toEqual(['a', 'b', 'c'].map(pathOf));
  await deletePictures();
  expect(stored()).toEqual([]);
});

test('a stored picture is fetched again after an hour, and deleted when the server has none [R86]', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await keepPictures([imageOf('a'), imageOf('b')]);
  delete pictures[pathOf('a')];
  await keepPictures([imageOf('a'), imageOf('b')]);
  expect(stored()).toEqual([pathOf('a'), pathOf('b')]);
  vi.setSystemTime(Date.now() + 3_601_000);
  await keepPictures([imageOf('a'), imageOf('b')]);
  expect(stored()).toEqual([pathOf('b')]);
  expect(fetched).toEqual(['a', 'b', 'a', 'b'].map(pathOf));
});

test('pictures are stored up to a limit, the first cards first', async () => {
  await keepPictures([imageOf('a'), imageOf('b'), imageOf('c')], 10);
  expect(stored()).toEqual([pathOf('a'), pathOf('b')]);
  await keepPictures([imageOf('c'), imageOf('b'), imageOf('a')], 9);
  expect(stored()).toEqual([pathOf('c')]);
});
