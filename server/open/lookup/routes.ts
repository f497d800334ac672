import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { lookup, projects } from '#shared/contract/index.ts';
import type { QueryOf } from '#shared/endpoint.ts';
import { route } from '#server/kit/http/declare.ts';
import { badRequest, notFound } from '#server/kit/http/errors.ts';
import { fromMemory } from '#server/kit/http/from-memory.ts';
import { findProjectPages } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { findListed } from './find-listed.ts';
import { findIn, findNamed, lookupKey, namesRead } from './index-of-names.ts';
import { lookupOf } from './line.ts';

const FRESH_MS = 60_000;
const SHOWN_CHARS = 100;

type Asked = QueryOf<typeof lookup.lookUp>;

const coinsOf = ({ coin = [] }: Asked): string[] => [coin].flat();

/** @throws 400 */
function keysOf(query: Asked): string[] {
  const coins = coinsOf(query);
  if (coins.length > 0 === (query.package !== undefined))
    throw badRequest('invalid_lookup', 'Send either coin (0x2::sui::SUI) or package (0x2)');
  const read = (kind: 'coin' | 'package') => (text: string) => {
    const key = lookupKey(kind, text);
    if (key === null) throw badRequest('invalid_lookup', `This is no ${kind}: ${text.slice(0, SHOWN_CHARS)}`);
    return key;
  };
  return query.package === undefined ? coins.map(read('coin')) : [read('package')(query.package)];
}

export const lookupRoutes = [
  route(
    lookup.lookUp,
    {
      cache: {
        key: ({ query }) => {
          const keys = keysOf(query);
          return Array.isArray(query.coin) ? null : { chosen: `lookup:${keys.join()}` };
        },
        reads: ['projects'],
      },
      cost: ({ query }) => ({ each: 'small', times: Math.max(1, coinsOf(query).length) }),
    },
    async ({ services, query }) => {
      const named = await Promise.all(keysOf(query).map((key) => findNamed(services, key)));
      const rows = await findProjectPages(
        services.replica,
        named.flatMap((one) => one?.id ?? []),
      );
      const now = new Date();
      const found = named.map((one) => {
        const row = rows.find(({ id, hiddenAt }) => id === one?.id && !hiddenAt);
        return row ? lookupOf(row, services.config.publicOrigin, now) : null;
      });
      if (Array.isArray(query.coin))
        return { value: query.coin.map((coin, index) => ({ coin, found: found[index] ?? null })) };
      const [value] = found;
      if (!value) throw notFound('not_listed', 'No listing names it');
      const endsMs = rows.map(({ expiresAt }) => expiresAt.getTime()).filter((endMs) => endMs > now.getTime());
      return { value, expiresAtMs: Math.min(now.getTime() + FRESH_MS, ...endsMs) };
    },
  ),
  // Called at each pause of typing: nothing is worth caching.
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
    isPage = false,
  ): Promise<FastifyReply> {
    const key = lookupKey('coin', type);
    const names = await fromMemory(services.cache, request, reply, namesRead(services));
    if (names === undefined) return reply;
    const named = key === null ? null : await findIn(names, services, key);
    reply.header('Cross-Origin-Resource-Policy', 'cross-origin').header('Access-Control-Allow-Origin', '*');
    // A browser's person gets a page (web/pages/not-found), a program data.
    if (!named && isPage && request.headers.accept?.includes('text/html'))
      return reply.header('Cache-Control', 'no-store').redirect(`/coins?type=${encodeURIComponent(type)}`, 302);
    if (!named)
      return reply
        .code(404)
        .header('Cache-Control', 'no-store')
        .send({ error: 'not_listed', message: 'No listing names this coin' });
    return reply.header('Cache-Control', CACHE_CONTROL).redirect(pathOf(named.slug), 302);
  }
  const themed = (theme: unknown): string => (theme === 'dark' || theme === 'light' ? `?theme=${theme}` : '');

  app.get<CoinPath>('/coins/*', { config: { kind: 'memory' } }, (request, reply) =>
    redirect(request, reply, request.params['*'], (slug) => `/projects/${slug}`, true),
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
