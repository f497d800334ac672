import { PICTURE_CACHE } from '#shared/offline.ts';

const MAX_BYTES = 4_000_000;
const STORED = /^(\/images\/[\w-]+)\.webp$/;

function cardPicture(imageUrl: string): string | null {
  const base = STORED.exec(imageUrl)?.[1];
  return base === undefined ? null : `${base}-640.webp`;
}

interface Connected {
  connection?: { saveData?: boolean };
}

async function isWanted(): Promise<boolean> {
  if (!('caches' in window) || (navigator as Connected).connection?.saveData === true) return false;
  return Boolean((await navigator.serviceWorker?.getRegistration())?.active);
}

/** A moderator may have blanked it since. */
const isYoung = ({ headers }: Response): boolean => Date.now() - Date.parse(headers.get('date') ?? '') < 3_600_000;

async function store(cache: Cache, path: string): Promise<number> {
  const stored = await cache.match(path);
  const response = stored && isYoung(stored) ? stored : await fetch(path, { priority: 'low' });
  if (response.ok && response !== stored) await cache.put(path, response.clone());
  if (response.status === 404) await cache.delete(path);
  return response.ok ? (await response.blob()).size : 0;
}

export async function keepPictures(imageUrls: readonly string[], maxBytes = MAX_BYTES): Promise<void> {
  if (!(await isWanted())) return;
  const cache = await caches.open(PICTURE_CACHE);
  const wanted = new Set(imageUrls.flatMap((url) => cardPicture(url) ?? []));
  for (const request of await cache.keys())
    // oxlint-disable-next-line no-await-in-loop -- a few, in the background
    if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
  let bytes = 0;
  for (const path of wanted) {
    // oxlint-disable-next-line no-await-in-loop -- one at a time: the page itself comes first
    if (bytes <= maxBytes) bytes += await store(cache, path);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (bytes > maxBytes) await cache.delete(path);
  }
}

export async function deletePictures(): Promise<void> {
  if ('caches' in window) await caches.delete(PICTURE_CACHE);
}
