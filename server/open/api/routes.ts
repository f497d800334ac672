import { open } from '#shared/contract/index.ts';
import { type EndpointSpec, OPEN_PREFIX } from '#shared/endpoint.ts';
import { toDayCsv } from '#shared/figures/day-rows.ts';
import { keyOf, loadDay } from './leaderboard.ts';
import { route, type Route } from '#server/kit/http/declare.ts';

export const openRoutes = (routes: readonly Route[]): Route[] => [
  ...Object.values(open as Record<string, Partial<EndpointSpec>>).flatMap((endpoint) =>
    routes
      .filter(
        ({ endpoint: { method, path } }) => method === 'GET' && path === endpoint.path?.replace(OPEN_PREFIX, '/api'),
      )
      .map((page) => ({ ...page, endpoint: endpoint as EndpointSpec })),
  ),
  route(
    open.getLeaderboardJson,
    { cache: { key: ({ query }) => keyOf('json', query), reads: ['days', 'projects'] }, cost: 'long' },
    async ({ services, query }) => ({ value: await loadDay(services, query), rests: true }),
  ),
  route(
    open.getLeaderboardCsv,
    { cache: { key: ({ query }) => keyOf('csv', query), reads: ['days', 'projects'] }, cost: 'long' },
    async ({ services, query }) => {
      const day = await loadDay(services, query);
      const headers = { 'Content-Disposition': `attachment; filename="snapswipe-leaderboard-${day.day}.csv"` };
      return { value: toDayCsv(day), headers, rests: true };
    },
  ),
];
