import { PICTURE_CACHE, SHELL_PATH } from '#shared/offline.ts';
import { pictureOf } from './kind-of.ts';
import { releaseCache } from './release.ts';
import type { RequestEvent, WorkerScope } from './scope.ts';

export async function respondWithDocument(scope: WorkerScope, event: RequestEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await scope.fetch(event.request));
  } catch (error) {
    const shell = await scope.caches.match(SHELL_PATH, { cacheName: releaseCache(scope.RELEASE) });
    if (shell) return shell;
    throw error;
  }
}

/** The name of an asset is the hash of its content: what is stored is right, whichever release stored it. */
export async function respondWithAsset(scope: WorkerScope, event: RequestEvent): Promise<Response> {
  const { request } = event;
  const stored = await scope.caches.match(request, { ignoreVary: true });
  if (stored) return stored;
  const response = await scope.fetch(request);
  if (response.ok) {
    const copy = response.clone();
    const store = async () => (await scope.caches.open(releaseCache(scope.RELEASE))).put(request, copy);
    // A full disk must not stop the page from showing.
    event.waitUntil(store().catch(() => undefined));
  }
  return response;
}

export async function respondWithPicture(scope: WorkerScope, { request }: RequestEvent): Promise<Response> {
  try {
    return await scope.fetch(request);
  } catch (error) {
    const cache = await scope.caches.open(PICTURE_CACHE);
    const known = (await cache.keys()).find(({ url }) => pictureOf(url) === pictureOf(request.url));
    const stored = known && (await cache.match(known));
    if (stored) return stored;
    throw error;
  }
}
