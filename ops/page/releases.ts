import { createHash, randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../process/report.ts';

/**
 * The built pages: a folder for each release, and `current`, a link to the one that a server takes when it starts. A build adds a folder
 * and moves the link, and changes nothing that a running server reads (decision 36).
 */
const RELEASES = path.join(ROOT, 'dist');
const CURRENT = 'current';
export const CURRENT_RELEASE = path.join(RELEASES, CURRENT);
export const SOURCES_MARK = '.built';

/** Number of releases that stay: their files are served to tabs that were opened with them. */
const KEPT_RELEASES = 10;
/** Build time, and the hash of its content: names sort by time. */
const RELEASE = /^\d{8}-\d{6}-[0-9a-f]{8}$/;
const UNFINISHED = '.building-';
const ABANDONED_MS = 3_600_000;

export async function startRelease(releases = RELEASES): Promise<string> {
  const folder = path.join(releases, UNFINISHED + randomUUID());
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Makes a built folder the current release. A folder that equals the current release is deleted instead. */
export async function finishRelease(built: string, now = new Date()): Promise<void> {
  const releases = path.dirname(built);
  const hash = await hashOf(built);
  const current = await realpath(path.join(releases, CURRENT)).catch(() => '');
  if (current.endsWith(`-${hash}`)) {
    await copyFile(path.join(built, SOURCES_MARK), path.join(current, SOURCES_MARK));
    return rm(built, { recursive: true });
  }
  const time = now.toISOString().replaceAll(/[-:]/g, '').replace('T', '-').slice(0, 15);
  const folder = path.join(releases, `${time}-${hash}`);
  await rename(built, folder);
  await symlink(path.basename(folder), `${built}-link`);
  await rename(`${built}-link`, path.join(releases, CURRENT));
  await removeOld(releases, now);
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== SOURCES_MARK);
  for (const file of files.map((entry) => path.join(entry.parentPath, entry.name)).sort())
    hash
      .update(path.relative(folder, file))
      .update('\0')
      .update(await readFile(file));
  return hash.digest('hex').slice(0, 8);
}

async function removeOld(releases: string, now: Date): Promise<void> {
  const names = await readdir(releases);
  const known = names.filter((name) => RELEASE.test(name)).sort();
  const kept = new Set([CURRENT, path.basename(await realpath(path.join(releases, CURRENT)))]);
  for (const name of known.slice(-KEPT_RELEASES)) kept.add(name);
  for (const name of names) {
    if (kept.has(name)) continue;
    const place = path.join(releases, name);
    if (name.startsWith(UNFINISHED)) {
      const found = await stat(place).catch(() => null);
      if (found === null || now.getTime() - found.mtimeMs < ABANDONED_MS) continue;
    }
    await rm(place, { recursive: true, force: true });
  }
}
