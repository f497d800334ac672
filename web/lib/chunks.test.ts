// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Chunks from './chunks.ts';

/** The module is new for each test, like that of a document that was just loaded. */
let needed: typeof Chunks.needed;
let RELOAD_EVENT = '';

const ENTRY = '/assets/index-old.js';
const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
const reloaded = vi.fn<() => void>();
const heard = vi.fn<() => void>();

/** The server's page, null where it is out of reach. */
function serve(html: string | null, status = 200): void {
  vi.stubGlobal('fetch', () =>
    html === null ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(new Response(html, { status })),
  );
}

beforeEach(async () => {
  vi.resetModules();
  ({ needed, RELOAD_EVENT } = await import('./chunks.ts'));
  sessionStorage.clear();
  document.head.innerHTML = `<script type="text/plain" src="${ENTRY}"></script>`;
  vi.spyOn(location, 'reload').mockImplementation(reloaded);
  addEventListener(RELOAD_EVENT, heard);
});
afterEach(() => {
  removeEventListener(RELOAD_EVENT, heard);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  reloaded.mockReset();
  heard.mockReset();
});

test('a missing chunk after an upgrade reloads the page, which keeps typed text, and its caller waits', async () => {
  serve('<script src="/assets/index-new.js"></script>');
  heard.mockImplementation(() => expect(reloaded).not.toHaveBeenCalled());
  const settled = vi.fn<() => void>();
  void needed(gone()).then(settled, settled);
  await vi.waitFor(() => expect(reloaded).toHaveBeenCalledTimes(1), { timeout: 20_000 });
  expect(heard).toHaveBeenCalledTimes(1);
  expect(settled).not.toHaveBeenCalled();
});

test.each<[string, string | null, number]>([
  ['offline', null, 200],
  ['with the very same page', `<script src="${ENTRY}"></script>`, 200],
  ['while the server fails', '', 503],
])('a missing chunk %s reloads nothing and reports that the server is out of reach', async (_, html, status) => {
  serve(html, status);
  await expect(needed(gone())).rejects.toMatchObject({ status: 0, code: 'offline' });
  expect(reloaded).not.toHaveBeenCalled();
});

test('a chunk that is missed again, though the server responds, reloads the page: the browser keeps its failure', async () => {
  serve(null);
  await expect(needed(gone())).rejects.toMatchObject({ code: 'offline' });
  await expect(needed(gone())).rejects.toMatchObject({ code: 'offline' });
  expect(reloaded).not.toHaveBeenCalled();
  serve(`<script src="${ENTRY}"></script>`);
  void needed(gone());
  await vi.waitFor(() => expect(reloaded).toHaveBeenCalledTimes(1), { timeout: 20_000 });
});

test('a missing chunk reloads the page at most once a minute', async () => {
  let nowMs = 1_000_000;
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  serve('<script src="/assets/index-new.js"></script>');
  void needed(gone());
  await vi.waitFor(() => expect(reloaded).toHaveBeenCalledTimes(1), { timeout: 20_000 });
  nowMs += 60_000;
  await expect(needed(gone())).rejects.toMatchObject({ code: 'offline' });
  // A rejection counts as an attempt.
  nowMs += 60_001;
  void needed(gone());
  await vi.waitFor(() => expect(reloaded).toHaveBeenCalledTimes(2), { timeout: 20_000 });
});

test('an error that the code of a chunk throws is passed on', async () => {
  serve('<script src="/assets/index-new.js"></script>');
  const error = new RangeError('Incorrect locale information provided');
  await expect(needed(Promise.reject(error))).rejects.toBe(error);
  expect(reloaded).not.toHaveBeenCalled();
});
