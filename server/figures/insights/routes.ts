import type { FastifyRequest } from 'fastify';
import { insights } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { charged } from '#server/kit/http/read-budget.ts';
import type { Services } from '#server/kit/services.ts';
import { insightsCsv, loadInsights } from './actions.ts';
import { visitorOf } from './visitor.ts';

function isShown({ cache, replica: db }: Services, id: number, request: FastifyRequest): Promise<boolean> {
  const read = async () => {
    const project = db.selectFrom('projects').select('id').where('id', '=', id).where('hiddenAt', 'is', null);
    return { value: (await project.executeTakeFirst()) !== undefined };
  };
  return cache.getOrLoad(`shown:${id}`, [`projects:${id}`], () => charged(request, null, 'small', read));
}

export const insightRoutes = [
  route(insights.recordEvent, { session: 'none', writes: [] }, async ({ services, params, body, request }) => {
    if (!(await isShown(services, params.id, request))) throw notFound('project_not_found', 'Project not found');
    const visitor = visitorOf(request);
    if (visitor !== null) services.events.count({ projectId: params.id, ...body }, visitor);
  }),

  route(insights.getInsights, { cost: 'list' }, ({ services, session, params }) =>
    loadInsights(services, params.id, session),
  ),

  route(insights.exportInsights, { cost: 'list' }, async ({ services, session, params, reply }) => {
    const { name, csv } = await insightsCsv(services, params.id, session);
    reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}"`);
    return csv;
  }),
];
