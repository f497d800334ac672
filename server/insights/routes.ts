import type { Db } from '#db/client.ts';
import { insights } from '#shared/contract/index.ts';
import { route } from '../http/declare.ts';
import { notFound } from '../http/errors.ts';
import { fromMemory } from '../http/from-memory.ts';
import { insightsCsv, loadInsights } from './actions.ts';
import { visitorOf } from './visitor.ts';

/** Whether a project with this id is shown to everybody. */
async function isShown(db: Db, id: number): Promise<{ value: boolean }> {
  const row = await db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where('hiddenAt', 'is', null)
    .executeTakeFirst();
  return { value: row !== undefined };
}

export const insightRoutes = [
  route(insights.recordEvent, { session: 'none', writes: [] }, async ({ services, params, body, request, reply }) => {
    const { cache, replica } = services;
    const shown = fromMemory(cache, request, reply, {
      key: `shown:${params.id}`,
      reads: [`projects:${params.id}`],
      cost: 'small',
      load: () => isShown(replica, params.id),
    });
    if (!(await shown)) throw notFound('project_not_found', 'Project not found');
    const visitor = visitorOf(request);
    if (visitor !== null) services.events.count({ projectId: params.id, ...body }, visitor);
    return { success: true as const };
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
