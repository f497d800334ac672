import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';

export const SCRIPT = `export const words = '${'swipe to vote '.repeat(500)}';`;

export async function makePage(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-page-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), readFileSync('web/index.html'));
  const script = path.join(folder, 'assets/page-1.js');
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  return folder;
}

/** A folder with these files, which is removed after the tests of the file. */
export async function makeFiles(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'snapswipe-files-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}
