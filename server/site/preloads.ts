import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { screenAt } from '#shared/site/screens.ts';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}
export type Manifest = Record<string, Chunk>;

function pageOf(pathname: string, signedIn: boolean): string | null {
  const name = screenAt(pathname);
  return name === 'home' && !signedIn ? 'landing' : name;
}

export function filesOf(manifest: Manifest, key: string, found = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const css of chunk.css ?? []) found.add(css);
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, found);
  return found;
}

export async function readManifest(distDir: string): Promise<Manifest> {
  const file = path.join(distDir, '.vite/manifest.json');
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Manifest) : {};
}

/** Files that `shell` names are left out. */
export async function readPreloads(
  distDir: string,
  shell: string,
): Promise<(url: string, isSignedIn?: boolean) => string> {
  const manifest = await readManifest(distDir);
  return (url, isSignedIn = false) => {
    const page = pageOf(url.split('?')[0] ?? '/', isSignedIn);
    if (!page) return '';
    const found = filesOf(manifest, `pages/${page}/${page}-page.tsx`);
    if (isSignedIn) filesOf(manifest, 'components/session/account-menu.tsx', found);
    // The page imports the visitor's deck after its own code. Fetched beside it, both come in one round trip.
    if (page === 'landing') filesOf(manifest, 'pages/landing/guest-deck.tsx', found);
    // The landing page is drawn without the query library; it comes later, with the example cards.
    if (page !== 'landing')
      for (const part of ['app/pages.ts', 'components/session/with-queries.tsx']) filesOf(manifest, part, found);
    return [...found]
      .filter((name) => !shell.includes(name))
      .map((name) =>
        name.endsWith('.css')
          ? `<link rel="stylesheet" crossorigin href="/${name}">`
          : `<link rel="modulepreload" crossorigin href="/${name}">`,
      )
      .join('');
  };
}
