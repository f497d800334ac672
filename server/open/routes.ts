import { open, projects, record, reviews, standing, supply, trends } from '#shared/contract/index.ts';
import type { EndpointSpec } from '#shared/endpoint.ts';
import { toDayCsv } from '#shared/day-rows.ts';
import { keyOf, loadDay } from './leaderboard.ts';
import { route, type Route } from '../http/declare.ts';

/** Public reads of the page once more: the declaration of the page's endpoint is that of the open one, too. */
const COPIES: Array<[open: EndpointSpec, page: EndpointSpec]> = [
  [open.getProject, projects.getProject],
  [open.listReviews, reviews.listReviews],
  [open.getProjectTrend, trends.getProjectTrend],
  [open.getSupply, supply.getSupply],
  [open.getTrust, standing.getTrust],
  [open.getRecord, record.getRecord],
  [open.listCheckpoints, record.listCheckpoints],
];

/** The open API, with copies of what is among the routes of the page. */
export const openRoutes = (routes: readonly Route[]): Route[] => [
  ...COPIES.flatMap(([endpoint, page]) =>
    routes.filter((candidate) => candidate.endpoint === page).map((found) => ({ ...found, endpoint })),
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
