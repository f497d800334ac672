import { projects } from '#shared/contract/index.ts';
import { route } from '../http/declare.ts';
import { isFirstPage, pageHeaders } from '../http/pages.ts';
import { listProjects } from './list.ts';

export const searchRoutes = [
  route(
    projects.searchProjects,
    {
      cache: {
        // The first page of each order and category is cached: no more than there are of both.
        key: ({ query }) =>
          isFirstPage(projects.searchProjects, query) && !query.search
            ? `projects:${query.sort}:${query.category ?? ''}`
            : null,
        reads: ['projects', 'counts', 'days'],
      },
      // Any other is cut out of lists in memory; a new search asks an index, too.
      cost: ({ query }) => (query.search ? 'long' : 'list'),
    },
    async ({ services, query }) => {
      const { page, expiresAtMs } = await listProjects(services, query);
      return { value: page.rows, headers: pageHeaders(page), expiresAtMs };
    },
  ),
];
