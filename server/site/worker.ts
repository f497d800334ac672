import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { CACHE_PREFIX, type Release, SHELL_META, SHELL_PATH, WORKER_PATH } from '#shared/site/offline.ts';
import type { Services } from '#server/kit/services.ts';
import { filesOf, readManifest } from './preloads.ts';
import { describeSite } from './routes.ts';
import { fillShell } from './shell.ts';

/** Files with which a user's home and the landing page are drawn: the entry, and its on-demand chunks for them. */
const PARTS = [
  'index.html',
  'pages/home/home-page.tsx',
  'pages/landing/landing-page.tsx',
  'pages/landing/guest-deck.tsx',
  'pages/landing/later.tsx',
  'components/session/with-queries.tsx',
  'components/session/account-menu.tsx',
  'components/layout/footer.tsx',
  'components/layout/toast-viewport.tsx',
  'app/scroll-place.ts',
  'app/pages.ts',
  'app/stand-by.ts',
  'offline/start.ts',
  'payments/open-payments.tsx',
];

const HEAD = `<meta name="${SHELL_META}" content="1"><meta name="robots" content="noindex"><title>Snapswipe</title>`;

/** Replaces the worker where it is switched off: deletes its caches and unregisters itself. */
const FAREWELL = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name.startsWith('${CACHE_PREFIX}')).map((name) => caches.delete(name)));
      await self.registration.unregister();
    })(),
  ),
);
`;

const namedIn = (text: string): string[] => [...text.matchAll(/\/assets\/[\w.-]+/g)].map(([file]) => file);

async function describeRelease(distDir: string, shell: string): Promise<Release> {
  const manifest = await readManifest(distDir);
  const found = new Set<string>();
  for (const part of PARTS) filesOf(manifest, part, found);
  const files = [...new Set([...namedIn(shell), ...[...found].map((file) => `/${file}`)])];
  const id = createHash('sha256').update(shell).update(files.join()).digest('hex').slice(0, 16);
  return { id, files };
}

/**
 * Mounts the service worker and the page that it stores (decision 34). `shell` is the built page, `policy` that of all pages.
 */
export async function mountWorker(
  app: FastifyInstance,
  services: Services,
  { distDir, shell, policy }: { distDir: string; shell: string; policy: string },
): Promise<void> {
  const file = path.join(distDir, '.worker', 'service-worker.js');
  const page = fillShell(shell, { head: HEAD, drawn: null, settings: describeSite(services), data: {} });
  const isOn = services.config.serviceWorker && existsSync(file);
  const release = await describeRelease(distDir, page);
  const code = isOn ? `self.RELEASE=${JSON.stringify(release)};\n${await readFile(file, 'utf8')}` : FAREWELL;

  app.get(WORKER_PATH, { config: { kind: 'file' } }, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .header('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
      .send(code),
  );
  app.get(SHELL_PATH, { config: { kind: 'file' } }, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .header('Content-Security-Policy', policy)
      .send(page),
  );
}
