import { SHELL_PATH } from '#shared/site/offline.ts';
import { fetchFile, isAway } from './fetch-file.ts';
import { releaseCache } from './release.ts';
import type { RequestEvent, WorkerScope } from './scope.ts';

/** Without an answer for so long, the stored page is shown, which says that the server is away (R99). */
const ANSWER_MS = 8_000;

export async function respondWithDocument(scope: WorkerScope, event: RequestEvent): Promise<Response> {
  const response = Promise.resolve(event.preloadResponse).then((preloaded) => preloaded ?? scope.fetch(event.request));
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), ANSWER_MS));
  const came = await Promise.race([response, late]).catch(() => null);
  if (came && !isAway(came)) return came;
  const shell = await scope.caches.match(SHELL_PATH, { cacheName: releaseCache(scope.RELEASE) });
  return shell ?? response;
}

/** The name of an asset is the hash of its content: what is stored is right, whichever release stored it. */
export async function respondWithAsset(scope: WorkerScope, event: RequestEvent): Promise<Response> {
  const { request } = event;
  const stored = await scope.caches.match(request, { ignoreVary: true });
  if (stored) return stored;
  const response = await fetchFile(scope.fetch, request);
  if (response.ok) {
    const copy = response.clone();
    const store = async () => (await scope.caches.open(releaseCache(scope.RELEASE))).put(request, copy);
    // A full disk must not stop the page from showing.
    event.waitUntil(store().catch(() => undefined));
  }
  return response;
}
