import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from '../security-headers.ts';
import type { Services } from '../services.ts';
import { mountCards } from './card-routes.ts';
import { mountCrawlerFiles } from './crawlers.ts';
import { describePage } from './meta.ts';
import { readPreloads } from './preloads.ts';
import { describeSite } from './routes.ts';

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)(?![^>]*type="application\/json")[^>]*>([\s\S]*?)<\/script>/g;

/** CSP hashes of the inline scripts of a page, so that only those run. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script]) =>
      `sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}`,
  );
}

/** JSON that cannot end the script element it stands in. */
export const jsonForHtml = (value: unknown): string => JSON.stringify(value).replace(/</g, '\\u003c');

/** Nothing under these is a page, so a miss is answered as data. */
const NO_PAGES = ['/api/', '/assets/', '/images/', '/og/'];
const NOT_FOUND_API = { error: 'not_found', message: 'There is no such endpoint' };

/** Where the page's own title and description stand; the server's take their place. */
const PAGE_META = /<!--page-meta-->[\s\S]*?<!--\/page-meta-->/;

/** The built page with `head` for its own meta tags, and the settings of this deployment. */
export function fillShell(shell: string, head: string, settings: unknown): string {
  const config = `<script type="application/json" id="site-config">${jsonForHtml(settings)}</script>`;
  // As functions: `$&` in a project's name is no pattern.
  return shell.replace(PAGE_META, () => head).replace('</head>', () => `${config}</head>`);
}

/** Serves the built page for every path that is not the API's, with its settings and meta tags written in. */
export async function mountPages(app: FastifyInstance, services: Services, distDir: string | null): Promise<void> {
  mountCards(app, services);
  mountCrawlerFiles(app, services);
  const indexFile = distDir && path.join(distDir, 'index.html');
  if (!distDir || !indexFile || !existsSync(indexFile)) {
    app.setNotFoundHandler((_request, reply) => reply.code(404).send(NOT_FOUND_API));
    return;
  }
  const shell = await readFile(indexFile, 'utf8');
  const preloads = await readPreloads(distDir, shell);
  const policy = contentSecurityPolicy(services, inlineScriptHashes(shell));
  await app.register(fastifyStatic, {
    root: distDir,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, filePath) {
      const immutable = filePath.includes(`${path.sep}assets${path.sep}`);
      reply.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
    },
  });

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const page = await describePage(services, request.url);
    if (page.redirectTo) return reply.redirect(page.redirectTo, 301);
    const head = page.head + preloads(request.url, request.headers.cookie);
    const html = fillShell(shell, head, describeSite(services));
    return reply
      .code(page.status)
      .header('Content-Security-Policy', policy)
      .header('Cache-Control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(html);
  }

  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || NO_PAGES.some((prefix) => request.url.startsWith(prefix)))
      return reply.code(404).send(NOT_FOUND_API);
    return sendPage(request, reply);
  });
}
