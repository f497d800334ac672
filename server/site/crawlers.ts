import type { FastifyInstance } from 'fastify';
import type { Db } from '#db/client.ts';
import { SCREEN_HEADS, screenNames, SCREENS } from '#shared/site/screens.ts';
import { bytesOf, type CachedResponse, toCachedText } from '#server/kit/cache/responses.ts';
import type { Loaded } from '#server/kit/cache/cache.ts';
import { sendFromMemory } from '#server/kit/http/from-memory.ts';
import type { Services } from '#server/kit/services.ts';

const MAX_URLS = 50_000;
const SCREEN_PATHS = screenNames.filter((name) => SCREEN_HEADS[name]?.isListed).map((name) => SCREENS[name].path);
const CACHE = 'public, max-age=3600';

const listSlugs = (db: Db) =>
  db
    .selectFrom('projects')
    .select('slug')
    .where('hiddenAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_URLS - SCREEN_PATHS.length)
    .execute();

export function mountCrawlerFiles(app: FastifyInstance, { replica: db, config, cache }: Services): void {
  async function drawSitemap(): Promise<Loaded<CachedResponse>> {
    const paths = [...SCREEN_PATHS, ...(await listSlugs(db)).map(({ slug }) => `/projects/${slug}`)];
    // Slugs are [a-z0-9-] only: nothing to escape.
    const urls = paths.map((path) => `<url><loc>${config.publicOrigin}${path}</loc></url>`);
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>\n`;
    const value = toCachedText(xml, 'application/xml; charset=utf-8', { 'Cache-Control': CACHE });
    return { value, bytes: bytesOf(value), rests: true };
  }

  const sitemap = { key: 'sitemap', reads: ['projects'], cost: 'sitemap', load: drawSitemap } as const;
  app.get('/sitemap.xml', { compress: false }, (request, reply) => sendFromMemory(cache, request, reply, sitemap));

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', CACHE)
      .send(
        // The API stays open: search engines run the page, which reads it.
        ['User-agent: *', 'Disallow: /admin', `Sitemap: ${config.publicOrigin}/sitemap.xml`, ''].join('\n'),
      ),
  );
}
