import { projects } from '#shared/contract/index.ts';
import { FIGURES_ON_HEADER } from '#shared/site/pages.ts';
import { route } from '#server/kit/http/declare.ts';
import { isFirstPage, pageHeaders } from '#server/kit/http/pages.ts';
import { listProjects } from './list.ts';

export const searchRoutes = [
  route(
    projects.searchProjects,
    {
      cache: {
        // Each order and category has one first page; searches are not cached.
        key: ({ query }) => {
          if (query.search) return null;
          const key = `projects:${query.sort}:${query.category ?? ''}`;
          return isFirstPage(projects.searchProjects, query)
            ? key
            : { chosen: `${key}:${query.limit}:${query.cursor ?? ''}` };
        },
        reads: ['projects', 'counts', 'days'],
      },
      // Later pages come from lists in memory; a new search asks an index, too.
      cost: ({ query }) => (query.search ? 'long' : 'list'),
    },
    async ({ services, query }) => {
      const { page, expiresAtMs } = await listProjects(services, query);
      const day = page.rows.find(({ figuresOn }) => figuresOn !== null)?.figuresOn;
      const headers = { ...pageHeaders(page), ...(day && { [FIGURES_ON_HEADER]: day }) };
      return { value: page.rows, headers, expiresAtMs };
    },
  ),
];
