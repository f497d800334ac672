import { open, projects, record, reviews, standing, supply, trends } from '#shared/contract/index.ts';
import { implementOpenly, type Route } from '../http/declare.ts';

/** The open API's copies of reads of the page, among whose routes their functions are. */
export const openRoutes = (routes: readonly Route[]): Route[] => [
  implementOpenly(open.getProject, projects.getProject, routes),
  implementOpenly(open.listReviews, reviews.listReviews, routes),
  implementOpenly(open.getProjectTrend, trends.getProjectTrend, routes),
  implementOpenly(open.getSupply, supply.getSupply, routes),
  implementOpenly(open.getTrust, standing.getTrust, routes),
  implementOpenly(open.getRecord, record.getRecord, routes),
  implementOpenly(open.listCheckpoints, record.listCheckpoints, routes),
];
