import type { FastifyInstance } from 'fastify';
import type { Db } from '#db/client.ts';
import { READ_COST } from '../http/read-budget.ts';
import type { Services } from '../services.ts';

/** The largest number that one sitemap may name. */
const MAX_URLS = 50_000;
const SCREENS = ['/', '/leaderboard', '/subscription'];
const CACHE = 'public, max-age=3600';

const listSlugs = (db: Db) =>
  db
    .selectFrom('projects')
    .select('slug')
    .where('hiddenAt', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_URLS - SCREENS.length)
    .execute();

/** sitemap.xml with every screen and project that anybody may see, and robots.txt that names it. */
export function mountCrawlerFiles(app: FastifyInstance, { replica: db, config }: Services): void {
  app.get('/sitemap.xml', async (request, reply) => {
    request.server.readBudget.charge(request, null, READ_COST.sitemap);
    const paths = [...SCREENS, ...(await listSlugs(db)).map(({ slug }) => `/projects/${slug}`)];
    // Slugs are [a-z0-9-] only: nothing to escape.
    const urls = paths.map((path) => `<url><loc>${config.publicOrigin}${path}</loc></url>`);
    return reply
      .type('application/xml; charset=utf-8')
      .header('Cache-Control', CACHE)
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('\n')}</urlset>\n`,
      );
  });

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
