import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Content of `/assets/page-1.js`. */
export const SCRIPT = `export const words = '${'swipe to vote '.repeat(500)}';`;

/** A folder with a built page of one script, compressed as the build does it. The caller removes it. */
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

/** Draws the counts of a project, as web/app/first-paint.tsx does. */
const RENDERER = `export function renderFirstPaint({ data: { project } }) {
  const count = (of, value) => '<data itemProp="' + of + '" value="' + value + '">' + value + '</data>';
  if (!project) return null;
  return { html: count('bullish', project.bullishCount) + count('bearish', project.bearishCount), isShell: false };
}`;

/** A built page that the server draws pages of projects with. The caller removes it. */
export async function makeDrawnPage(): Promise<string> {
  const folder = await makePage();
  await mkdir(path.join(folder, '.ssr'));
  await writeFile(path.join(folder, '.ssr/first-paint.js'), RENDERER);
  return folder;
}
