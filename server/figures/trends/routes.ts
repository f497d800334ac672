import { trends } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { canonicalRef, findProject } from '#server/listings/projects/queries.ts';
import { listDays, listSimilar } from './queries.ts';

export const trendRoutes = [
  route(
    trends.getProjectTrend,
    { cache: { key: ({ params }) => `trend:${canonicalRef(params.id)}`, reads: ['days', 'projects'] } },
    async ({ services, params }) => {
      const project = await findProject(services.replica, params.id);
      if (!project || project.hiddenAt) throw notFound('project_not_found', 'Project not found');
      return { value: { days: await listDays(services.replica, project.id), figuresOn: project.figuresOn } };
    },
  ),

  route(
    trends.listSimilar,
    { cache: { key: ({ params }) => `similar:${canonicalRef(params.id)}`, reads: ['projects'] } },
    async ({ services, params }) => {
      const project = await findProject(services.replica, params.id);
      if (!project || project.hiddenAt) throw notFound('project_not_found', 'Project not found');
      const { rows, expiresAtMs } = await listSimilar(services.replica, project);
      return { value: rows, expiresAtMs };
    },
  ),
];
