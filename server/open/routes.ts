import { open, projects, record, reviews, standing, supply, trends } from '#shared/contract/index.ts';
import { toDayCsv } from '#shared/day-rows.ts';
import { keyOf, loadDay } from './leaderboard.ts';
import { implementCached, implementOpenly, type Route } from '../http/declare.ts';

/** The open API's copies of reads of the page, among whose routes their functions are. */
export const openRoutes = (routes: readonly Route[]): Route[] => [
  implementOpenly(open.getProject, projects.getProject, routes),
  implementOpenly(open.listReviews, reviews.listReviews, routes),
  implementOpenly(open.getProjectTrend, trends.getProjectTrend, routes),
  implementOpenly(open.getSupply, supply.getSupply, routes),
  implementOpenly(open.getTrust, standing.getTrust, routes),
  implementOpenly(open.getRecord, record.getRecord, routes),
  implementOpenly(open.listCheckpoints, record.listCheckpoints, routes),
  implementCached(open.getLeaderboardJson, {
    key: ({ query }) => keyOf('json', query),
    tags: () => ['d', 'p'],
    load: async ({ services, query }) => ({ value: await loadDay(services, query), rests: true }),
  }),
  implementCached(open.getLeaderboardCsv, {
    key: ({ query }) => keyOf('csv', query),
    tags: () => ['d', 'p'],
    load: async ({ services, query }) => {
      const day = await loadDay(services, query);
      const headers = { 'Content-Disposition': `attachment; filename="snapswipe-leaderboard-${day.day}.csv"` };
      return { value: toDayCsv(day), headers, rests: true };
    },
  }),
];
