import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BIN, run } from '../process/programs.ts';
import { ROOT } from '../process/report.ts';
import { CURRENT_RELEASE, finishRelease, SOURCES_MARK, startRelease } from './releases.ts';

const SOURCES = [
  'web',
  'shared',
  'chain',
  'record',
  'vite.config.ts',
  'ops/page/css-names.ts',
  'ops/page/precompress.ts',
  'ops/page/readable-verifier.ts',
  'ops/page/verifier-names.ts',
  'ops/page/without-later-code.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];
/** The build takes every available processor; a server on the same machine has priority. */
const NICENESS = 10;

export async function isPageBuilt(): Promise<boolean> {
  const mark = await readFile(path.join(CURRENT_RELEASE, SOURCES_MARK), 'utf8').catch(() => '');
  return mark !== '' && mark === (await hashOfSources());
}

/** A running server continues with its release. @throws Error with the build's message */
export async function buildPage(): Promise<void> {
  if (!existsSync(path.join(BIN, 'vite'))) {
    throw new Error(
      'The web page is not built, and the tools for it are not installed: run `npm install --ignore-scripts` first.',
    );
  }
  // Hashed before the build, so that sources that change during it are built the next time.
  const hash = await hashOfSources();
  const folder = await startRelease();
  try {
    const { code, output } = await run('vite', ['build', '--logLevel', 'warn'], {
      env: { NODE_ENV: 'production', PAGE_FOLDER: folder },
      niceness: NICENESS,
    });
    if (code !== 0) throw new Error(`The web page could not be built:\n${output.trim()}`);
    await writeHash(path.join(folder, 'trust', 'verify.mjs'));
    await writeFile(path.join(folder, SOURCES_MARK), hash);
    await finishRelease(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeHash(file: string): Promise<void> {
  const hash = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  await writeFile(`${file}.sha256`, `${hash}  ${path.basename(file)}\n`);
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const file = path.join(ROOT, source);
    const entries = await readdir(file, { recursive: true, withFileTypes: true }).catch(() => undefined);
    const files =
      entries === undefined
        ? [file]
        : entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    for (const name of files.sort()) {
      if (name.includes('.test.')) continue;
      hash
        .update(path.relative(ROOT, name))
        .update('\0')
        .update(await readFile(name).catch(() => ''));
    }
  }
  return hash.digest('hex');
}
