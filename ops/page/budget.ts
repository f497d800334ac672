import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { CURRENT_RELEASE } from './releases.ts';

const LANDING = 'pages/landing/landing-page.tsx';
const BUDGETS = [
  { name: 'first JavaScript', pages: [LANDING], bytes: 83_100 },
  { name: 'until a visitor can swipe', pages: [LANDING, 'pages/landing/guest-deck.tsx'], bytes: 98_400 },
];
const FORBIDDEN = [
  '/@mysten/',
  '/web/wallet/',
  '/zod/',
  '/motion/',
  '/framer-motion/',
  '/@base-ui/',
  '/@radix-ui/',
  '/date-fns/',
  '/@tanstack/',
  '/any-ascii/',
  '/unhomoglyph/',
];

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}
type Manifest = Record<string, Chunk>;

/** Returns the weight as text. @throws Error over the budget, or with wallet or chain code */
export async function checkBudget(dist = CURRENT_RELEASE): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry);
  if (!entry) throw new Error('The built page names no entry.');
  const weights: string[] = [];
  for (const { name, pages, bytes: limit } of BUDGETS) {
    const files = closure(manifest, entry);
    for (const page of pages) closure(manifest, page, files);
    const lines: string[] = [];
    let totalBytes = 0;
    for (const file of files) {
      const bytes = await weigh(dist, file);
      totalBytes += bytes;
      lines.push(`${String(bytes).padStart(7)}  ${file}`);
    }
    const weight = `${name} ${totalBytes} of ${limit} bytes gzip`;
    if (totalBytes > limit) throw new Error(`Over the budget: ${weight}\n${lines.join('\n')}`);
    weights.push(weight);
  }
  return weights.join(', ');
}

async function weigh(dist: string, file: string): Promise<number> {
  const stranger = (await sourcesOf(dist, file)).find((source) => FORBIDDEN.some((part) => source.includes(part)));
  if (stranger !== undefined) throw new Error(`The first JavaScript contains what it must not: ${stranger} (${file}).`);
  return gzipSync(await readFile(path.join(dist, file)), { level: 9 }).length;
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
