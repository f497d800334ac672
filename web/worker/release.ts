import { CACHE_PREFIX, RELEASE_CACHE_PREFIX, SHELL_PATH, type Release } from '#shared/site/offline.ts';
import { fetchFile } from './fetch-file.ts';
import type { WorkerScope } from './scope.ts';

/** The present release and the one before it, which open tabs may still run. */
const RELEASES_KEPT = 2;

export const releaseCache = ({ id }: Release): string => RELEASE_CACHE_PREFIX + id;

/** The shell is stored last: a release with a shell is complete. @throws Error where the server has another release by now */
export async function storeRelease({ RELEASE, caches, fetch }: WorkerScope): Promise<void> {
  const shell = await fetch(SHELL_PATH, { cache: 'no-store' });
  const [entry = ''] = RELEASE.files;
  if (!shell.ok || !(await shell.clone().text()).includes(entry)) throw new Error('The shell is of another release');
  const cache = await caches.open(releaseCache(RELEASE));
  const store = async (file: string) => {
    const response = await fetchFile(fetch, file);
    if (!response.ok) throw new Error(`${file} is missing`);
    await cache.put(file, response);
  };
  await Promise.all(RELEASE.files.map(store));
  await cache.put(SHELL_PATH, shell);
}

export async function removeOldReleases({ RELEASE, caches }: WorkerScope): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(CACHE_PREFIX) && name !== releaseCache(RELEASE),
  );
  const kept = new Set(others.filter((name) => name.startsWith(RELEASE_CACHE_PREFIX)).slice(1 - RELEASES_KEPT));
  const old = others.filter((name) => !kept.has(name));
  await Promise.all(old.map((name) => caches.delete(name)));
}
