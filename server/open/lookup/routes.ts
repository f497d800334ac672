import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lookup, projects } from '#shared/contract/index.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { route } from '#server/kit/http/declare.ts';
import { badRequest, notFound } from '#server/kit/http/errors.ts';
import { fromMemory } from '#server/kit/http/from-memory.ts';
import { findProject } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { findListed } from './find-listed.ts';
import { findIn, findNamed, lookupKey, namesRead } from './index-of-names.ts';
import { lookupOf } from './line.ts';

const FRESH_MS = 60_000;

function keyOf(query: QueryOf<typeof lookup.lookUp>): string | null {
  const [sent, ...more] = (['coin', 'package'] as const).filter((kind) => query[kind] !== undefined);
  return sent === undefined || more.length > 0 ? null : lookupKey(sent, query[sent] ?? '');
}

export const lookupRoutes = [
  route(
    lookup.lookUp,
    {
      cache: {
        key: ({ query }) => {
          const key = keyOf(query);
          return key === null ? null : { chosen: `lookup:${key}` };
        },
        reads: ['projects'],
      },
      cost: 'small',
    },
    async ({ services, query }) => {
      const key = keyOf(query);
      if (key === null) throw badRequest('invalid_lookup', 'Send either coin (0x2::sui::SUI) or package (0x2)');
      const named = await findNamed(services, key);
      const row = named && (await findProject(services.replica, String(named.id)));
      if (!row || row.hiddenAt) throw notFound('not_listed', 'No listing names it');
      const now = new Date();
      const endMs = row.expiresAt.getTime();
      const expiresAtMs = Math.min(now.getTime() + FRESH_MS, endMs > now.getTime() ? endMs : Infinity);
      return { value: lookupOf(row, services.config.publicOrigin, now), expiresAtMs };
    },
  ),
  // A new name at each pause of typing: nothing worth keeping.
  route(projects.findListed, { cost: 'small' }, ({ services, query }) => findListed(services, query)),
];

interface CoinPath {
  Params: { '*': string };
  Querystring: { theme?: unknown };
}

const CACHE_CONTROL = 'public, max-age=300';

export function mountCoins(app: FastifyInstance, services: Services): void {
  async function redirect(
    request: FastifyRequest<CoinPath>,
    reply: FastifyReply,
    type: string,
    pathOf: (slug: string) => string,
  ): Promise<FastifyReply> {
    const key = lookupKey('coin', type);
    const names = await fromMemory(services.cache, request, reply, namesRead(services));
    if (names === undefined) return reply;
    const named = key === null ? null : await findIn(names, services, key);
    reply.header('Cross-Origin-Resource-Policy', 'cross-origin').header('Access-Control-Allow-Origin', '*');
    if (!named)
      return reply
        .code(404)
        .header('Cache-Control', 'no-store')
        .send({ error: 'not_listed', message: 'No listing names this coin' });
    return reply.header('Cache-Control', CACHE_CONTROL).redirect(pathOf(named.slug), 302);
  }
  const themed = (theme: unknown): string => (theme === 'dark' || theme === 'light' ? `?theme=${theme}` : '');

  app.get<CoinPath>('/coins/*', { config: { kind: 'memory' } }, (request, reply) =>
    redirect(request, reply, request.params['*'], (slug) => `/projects/${slug}`),
  );
  app.get<CoinPath>('/badge/coin/*', { config: { kind: 'memory' } }, (request, reply) =>
    redirect(
      request,
      reply,
      request.params['*'].replace(/\.svg$/, ''),
      (slug) => `/badge/${slug}.svg${themed(request.query.theme)}`,
    ),
  );
  app.get<CoinPath>('/embed/coin/*', { config: { kind: 'memory' } }, (request, reply) =>
    redirect(request, reply, request.params['*'], (slug) => `/embed/${slug}${themed(request.query.theme)}`),
  );
}
