import { projects } from '#shared/contract/index.ts';
import { sendCached, toCachedResponse } from '../cache/responses.ts';
import { implementCached } from '../http/declare.ts';
import { isFirstPage, pageHeaders } from '../http/pages.ts';
import { READ_COST } from '../http/read-budget.ts';
import { listProjects } from './list.ts';

export const searchRoutes = [
  implementCached(
    projects.searchProjects,
    {
      // The first page of each order and category is cached: no more than there are of both.
      key: ({ query }) =>
        isFirstPage(projects.searchProjects, query) && !query.search
          ? `projects:${query.sort}:${query.category ?? ''}`
          : null,
      tags: () => ['p', 'c', 'd'],
      load: async ({ services, query }) => {
        const { page, expiresAtMs } = await listProjects(services, query);
        return { value: page.rows, headers: pageHeaders(page), expiresAtMs };
      },
    },
    // Any other is cut out of lists in memory; a new search asks an index, too.
    async ({ services, query, request, reply }) => {
      request.server.readBudget.charge(request, null, query.search ? READ_COST.long : READ_COST.list);
      const { page } = await listProjects(services, query);
      return sendCached(request, reply, toCachedResponse(page.rows, pageHeaders(page)));
    },
  ),
];
