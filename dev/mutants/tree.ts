import { createHash } from 'node:crypto';
import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from '../process/programs.ts';
import { ROOT } from '../process/report.ts';

async function git(...args: string[]): Promise<string[]> {
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output.trim()}`);
  return output.split('\n').filter((line) => line !== '');
}

/** All files of the project as they are now, also those that are not committed yet. */
export const listFiles = async (): Promise<string[]> =>
  (await git('ls-files', '--cached', '--others', '--exclude-standard')).toSorted();

/** Files that differ from the commit where this branch left `base`. @throws Error when there is no such commit. */
export async function changedSince(base: string): Promise<Set<string>> {
  const [start = base] = await git('merge-base', base, 'HEAD');
  const changed = await git('diff', '--name-only', start);
  return new Set([...changed, ...(await git('ls-files', '--others', '--exclude-standard'))]);
}

export interface Tree {
  folder: string;
  /** Folder for temporary files of tests, gone with the tree. */
  tmp: string;
  /** Hash of all code in it. */
  hash: string;
  write(file: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** A copy of the project to plant faults in; its packages are those of the project. */
export async function copyTree(files: string[]): Promise<Tree> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'snapswipe-mutants-'));
  const folder = path.join(home, 'tree');
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(path.join(ROOT, file)).catch(() => null);
    if (bytes === null) continue;
    await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true });
    if (/\.(tsx?|sql|json)$/.test(file) && !/^(scripts|dev\/mutants)\//.test(file)) hash.update(file).update(bytes);
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const tmp = await mkdtemp(path.join(home, 'tmp-'));
  // PostgreSQL of a test may run as another user, who has to walk down to its data.
  for (const place of [home, tmp]) await chmod(place, 0o755);
  return {
    folder,
    tmp,
    hash: hash.digest('hex').slice(0, 16),
    write: (file, text) => writeFile(path.join(folder, file), text),
    remove: () => rm(home, { recursive: true, force: true, maxRetries: 5 }),
  };
}
