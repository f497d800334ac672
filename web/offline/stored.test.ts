// @vitest-environment happy-dom
import { expect, test, afterEach, beforeEach, vi } from 'vitest';
import { projectOf, votingStatusOf } from '../testing/made-up.ts';
import { fromText, toText } from './last-deck.ts';
import { PICTURE_CACHE } from '#shared/offline.ts';
import { deletePictures, keepPictures } from './pictures.ts';

const cards = (count: number, description = '') =>
  Array.from({ length: count }, (_, at) => projectOf(at + 1, { description }));
const deckOf = (count: number, description?: string) => ({
  userId: 7,
  cards: cards(count, description),
  votingStatus: votingStatusOf(3, null),
});

test('a stored deck is read as it was', () => {
  expect(fromText(toText(deckOf(3)), 7)).toEqual(deckOf(3));
});

test('at most 20 cards and 64,000 characters are stored', () => {
  expect(fromText(toText(deckOf(50)), 7)?.cards).toHaveLength(20);
  const text = toText(deckOf(20, 'x'.repeat(9_000)));
  expect(text.length).toBeLessThanOrEqual(64_000);
  expect(fromText(text, 7)?.cards).toHaveLength(6);
  expect(fromText(toText(deckOf(1, 'x'.repeat(90_000))), 7)?.cards).toEqual([]);
});

test('a deck of another user and an invalid value are ignored', () => {
  expect(fromText(toText(deckOf(3)), 8)).toBeNull();
  for (const text of [
    null,
    '',
    '{',
    'null',
    '[]',
    '{"userId":7}',
    '{"userId":7,"cards":[{}]}',
    '{"userId":7,"cards":[null]}',
  ])
    expect(fromText(text, 7)).toBeNull();
});

/** The browser's stores by name, as far as pictures need them: paths with what is stored of each. */
let stores: Map<string, Map<string, string>>;
/** Pictures on the server; anything else is a 404. */
let pictures: Record<string, string>;
let fetched: string[];

function openStore(name: string) {
  const files = stores.get(name) ?? new Map<string, string>();
  stores.set(name, files);
  return {
    match: async (path: string) => (files.has(path) ? new Response(files.get(path)) : undefined),
    put: async (path: string, response: Response) => void files.set(path, await response.text()),
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
    return new Response(pictures[path] ?? 'not found', { status: path in pictures ? 200 : 404 });
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

test('pictures are stored up to the bound, the first cards first', async () => {
  await keepPictures([imageOf('a'), imageOf('b'), imageOf('c')], 10);
  expect(stored()).toEqual([pathOf('a'), pathOf('b')]);
  await keepPictures([imageOf('c'), imageOf('b'), imageOf('a')], 9);
  expect(stored()).toEqual([pathOf('c')]);
});
