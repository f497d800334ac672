import { insights } from '#shared/contract/index.ts';
import { implement, implementAnonymously } from '../http/declare.ts';
import { notFound } from '../http/errors.ts';
import { READ_COST } from '../http/read-budget.ts';
import type { Services } from '../services.ts';
import { insightsCsv, loadInsights } from './actions.ts';
import { visitorOf } from './visitor.ts';

/** Whether a project with this id is shown to everybody; from memory, where it was asked before. */
function isShown({ cache, replica: db }: Services, id: number, onRead: () => void): Promise<boolean> {
  return cache.getOrLoad(`shown:${id}`, [`p:${id}`], async () => {
    onRead();
    const row = await db
      .selectFrom('projects')
      .select('id')
      .where('id', '=', id)
      .where('hiddenAt', 'is', null)
      .executeTakeFirst();
    return { value: row !== undefined };
  });
}

export const insightRoutes = [
  implementAnonymously(insights.recordEvent, async ({ services, params, body, request }) => {
    const charge = () => request.server.readBudget.charge(request, null, READ_COST.small);
    if (!(await isShown(services, params.id, charge))) throw notFound('project_not_found', 'Project not found');
    const visitor = visitorOf(request);
    if (visitor !== null) services.events.count({ projectId: params.id, ...body }, visitor);
    return { success: true as const };
  }),

  implement(insights.getInsights, ({ services, session, params }) => loadInsights(services, params.id, session)),

  implement(insights.exportInsights, async ({ services, session, params, reply }) => {
    const { name, csv } = await insightsCsv(services, params.id, session);
    reply.type('text/csv; charset=utf-8').header('Content-Disposition', `attachment; filename="${name}"`);
    return csv;
  }),
];
