import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isPageAddress } from '#server/kit/http/away-page.ts';
import { contentSecurityPolicy } from '#server/kit/http/security-headers.ts';
import { bytesOf, type CachedResponse, toCachedText } from '#server/kit/cache/responses.ts';
import type { Loaded } from '#server/kit/cache/cache.ts';
import { screenAt, SCREENS } from '#shared/site/screens.ts';
import { SORTS } from '#shared/listings/sort-names.ts';
import { firstEnd } from '#server/listings/projects/active.ts';
import { sendFromMemory } from '#server/kit/http/from-memory.ts';
import { charged } from '#server/kit/http/read-budget.ts';
import type { Services } from '#server/kit/services.ts';
import { mountCards } from './card-routes.ts';
import { mountCrawlerFiles } from './crawlers.ts';
import { describePage } from './describe-page.ts';
import { cardOf, FIRST_DATA, hasSessionCookie, readOwnData } from './first-data.ts';
import { readFirstPaint } from './first-paint.ts';
import { HEADS } from './head.ts';
import { readPreloads } from './preloads.ts';
import { createReleaseAssets } from './release-assets.ts';
import { describeSite } from './routes.ts';
import { fillShell, inlineScriptHashes } from './shell.ts';
import { mountWorker } from './worker.ts';

const NOT_FOUND_API = { error: 'not_found', message: 'There is no such endpoint' };

const HTML = 'text/html; charset=utf-8';
const PAGE_TTL_MS = 60_000;

/** Pages that are drawn once for all visitors. */
const SHARED = new Set([...HEADS.keys(), ...SORTS.map((sort) => `${SCREENS.leaderboard.path}?sort=${sort}`)]);

let mounts = 0;

export interface BuiltPage {
  distDir: string | null;
  releasesDir?: string;
}

async function serveFiles(scope: FastifyInstance, distDir: string, releasesDir?: string): Promise<void> {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, kind: 'file' };
  });
  await scope.register(fastifyStatic, {
    root: distDir,
    index: false,
    wildcard: false,
    // The shell without its policy and settings, and the sources, are internal.
    globIgnore: ['index.html', '**/*.map'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, filePath) {
      const immutable = filePath.includes(`${path.sep}assets${path.sep}`);
      reply.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });
  if (releasesDir === undefined) return;
  const findAsset = createReleaseAssets(releasesDir);
  scope.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const folder = await findAsset(request.params.name);
    return folder === null ? reply.callNotFound() : reply.sendFile(request.params.name, folder);
  });
}

export async function mountPages(
  app: FastifyInstance,
  services: Services,
  { distDir, releasesDir }: BuiltPage,
): Promise<void> {
  mountCards(app, services);
  mountCrawlerFiles(app, services);
  const indexFile = distDir && path.join(distDir, 'index.html');
  if (!distDir || !indexFile || !existsSync(indexFile)) {
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(NOT_FOUND_API));
    return;
  }
  const shell = await readFile(indexFile, 'utf8');
  const preloads = await readPreloads(distDir, shell);
  const draw = await readFirstPaint(distDir, services.log);
  mounts += 1;
  const mount = mounts;
  const policy = contentSecurityPolicy(services, inlineScriptHashes(shell));
  await app.register((scope) => serveFiles(scope, distDir, releasesDir));
  await mountWorker(app, services, { distDir, shell, policy });

  async function drawForAll(url: string): Promise<Loaded<CachedResponse>> {
    const page = await describePage(services, url);
    const settings = describeSite(services);
    const drawn = draw({ ...page, site: settings });
    const links = preloads(url, false);
    const headers = { 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', Vary: 'Cookie, accept-encoding' };
    const html = fillShell(shell, { head: page.head, links, drawn, settings, data: page.data });
    const value = toCachedText(html, HTML, headers);
    const { leaderboard, guestCards = [] } = page.data;
    const listings = [...(leaderboard?.rows ?? []).filter(({ expired }) => !expired), ...guestCards];
    const expiresAtMs = Math.min(firstEnd(listings), Date.now() + PAGE_TTL_MS);
    return { value, bytes: bytesOf(value), rests: true, expiresAtMs };
  }

  async function sendToVisitor(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const screen = screenAt(request.url.split('?')[0] ?? '');
    const reads = (screen && FIRST_DATA[screen]?.tags) ?? [];
    const key = `page ${mount}:${request.url}`;
    const read = { key, reads, cost: 'page', load: () => drawForAll(request.url) } as const;
    return sendFromMemory(services.cache, request, reply, read) ?? reply;
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const mayBeOwn = hasSessionCookie(request);
    const shared = mayBeOwn ? null : cardOf(request.url);
    // Visitors have no such deck, so they see the project's own page, with the same buttons.
    if (shared !== null) return reply.header('Cache-Control', 'no-store').redirect(`/projects/${shared}`, 302);
    if (SHARED.has(request.url) && !mayBeOwn) return sendToVisitor(request, reply);
    const page = await charged(request, null, 'page', () => describePage(services, request.url, mayBeOwn));
    // Temporary, as a name may come back, and a browser that keeps both directions would go in circles (R23).
    if (page.redirectTo) return reply.header('Cache-Control', 'no-store').redirect(page.redirectTo, 302);
    const settings = describeSite(services);
    const own = await readOwnData(services, request, page);
    const data = { ...page.data, ...own };
    const drawn = own === null ? null : draw({ ...page, site: settings, data });
    const links = preloads(request.url, mayBeOwn);
    const html = fillShell(shell, { head: page.head, links, drawn, settings, data });
    return (
      reply
        .code(page.status)
        .header('Content-Security-Policy', policy)
        // One user's data is never stored, not even for Back: the next visit has the next card on top.
        .header('Cache-Control', mayBeOwn ? 'private, no-store' : 'no-cache')
        .header('Vary', 'Cookie')
        .type(HTML)
        .send(html)
    );
  }

  app.get('/index.html', (_request, reply) => reply.header('Cache-Control', 'no-store').redirect('/', 302));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(NOT_FOUND_API));
  // A route, because responses of the handler of misses are not compressed.
  app.get('/*', async (request, reply) => {
    if (!isPageAddress(request.url)) return reply.callNotFound();
    return sendPage(request, reply);
  });
}
