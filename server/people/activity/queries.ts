import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Activity } from '#shared/contract/users.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';

const projectSlug = sql<string | null>`(
  SELECT p.slug FROM payments o JOIN projects p ON p.id = o.project_id
  WHERE o.user_id = activity.user_id AND o.digest = activity.digest AND o.state NOT IN ('failed', 'expired'))`.as(
  'projectSlug',
);

export async function listActivity(db: Db, userId: number, page: PageQuery): Promise<Page<Activity>> {
  const rows = db
    .selectFrom('activity')
    .where('userId', '=', userId)
    .select(['id', 'kind', 'text', 'tokens', 'amountMist', 'digest', 'createdAt'])
    .select(projectSlug);
  return mapPage(await listById(db, { name: `activity:${userId}`, page, rows }), (row) => ({
    ...row,
    amountMist: row.amountMist === null ? null : String(row.amountMist),
    createdAt: row.createdAt.toISOString(),
  }));
}
