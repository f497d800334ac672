import { readdir } from 'node:fs/promises';
import path from 'node:path';

const READ_AGAIN_MS = 1_000;
/** Sources are internal, and files that begin with a dot do not belong to the page. */
const SERVED = /^[\w-][\w.-]*(?<!\.map)$/;

/**
 * Finds files of /assets/ in all stored releases, including those built after this server started: a tab that was
 * opened before an upgrade requests files of its release, and during one the earlier processes get requests of pages
 * that the new ones have sent. A name contains the hash of its content, so every release that has it has the same.
 */
export function createReleaseAssets(
  releasesDir: string,
  now: () => number = () => performance.now(),
): (name: string) => Promise<string | null> {
  let folders = new Map<string, string>();
  let readAtMs = -Infinity;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const found = new Map<string, string>();
    for (const release of await readdir(releasesDir, { withFileTypes: true }).catch(() => [])) {
      // Running builds have names with a dot; `current` is a link to one of the others, and moves.
      if (!release.isDirectory() || release.name.startsWith('.')) continue;
      const folder = path.join(releasesDir, release.name, 'assets');
      for (const file of await readdir(folder).catch(() => [])) if (SERVED.test(file)) found.set(file, folder);
    }
    folders = found;
    reading = null;
  }

  return async (name) => {
    const known = folders.get(name);
    if (known !== undefined) return known;
    if (now() - readAtMs >= READ_AGAIN_MS) {
      readAtMs = now();
      reading = read();
    }
    await reading;
    return folders.get(name) ?? null;
  };
}
