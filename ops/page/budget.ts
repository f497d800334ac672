import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { CURRENT_RELEASE } from './releases.ts';

const BUDGET_BYTES = 86_000;
const FORBIDDEN = [
  '/@mysten/',
  '/web/wallet/',
  '/zod/',
  '/motion/',
  '/framer-motion/',
  '/@base-ui/',
  '/@radix-ui/',
  '/date-fns/',
  '/any-ascii/',
  '/unhomoglyph/',
];

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}
type Manifest = Record<string, Chunk>;

/** Returns the weight in words. @throws Error over the budget, or with wallet or chain code */
export async function checkBudget(dist = CURRENT_RELEASE): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (!entry) throw new Error('The built page names no entry.');
  const files = [...closure(manifest, 'pages/landing/landing-page.tsx', closure(manifest, entry))];
  const lines: string[] = [];
  let totalBytes = 0;
  for (const file of files) {
    const bytes = gzipSync(await readFile(path.join(dist, file)), { level: 9 }).length;
    totalBytes += bytes;
    lines.push(`${String(bytes).padStart(7)}  ${file}`);
    const stranger = (await sourcesOf(dist, file)).find((source) => FORBIDDEN.some((part) => source.includes(part)));
    if (stranger !== undefined)
      throw new Error(`The first JavaScript contains what it must not: ${stranger} (${file}).`);
  }
  const weight = `first JavaScript ${totalBytes} of ${BUDGET_BYTES} bytes gzip`;
  if (totalBytes > BUDGET_BYTES) throw new Error(`Over the budget: ${weight}\n${lines.join('\n')}`);
  return weight;
}

function closure(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The built page has no ${key}.`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const imported of chunk.imports ?? []) closure(manifest, imported, found);
  return found;
}

async function sourcesOf(dist: string, file: string): Promise<string[]> {
  if (file.includes('rolldown-runtime')) return [];
  const map = JSON.parse(await readFile(path.join(dist, `${file}.map`), 'utf8')) as { sources: string[] };
  return map.sources;
}
