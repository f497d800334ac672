import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Activity } from '#shared/contract/users.ts';
import { countRows, idCursors, mapPage, type Page, type PageQuery, toFetch, toPage } from '../http/pages.ts';

/** The project that was paid for by the transaction that the line names. */
const projectSlug = sql<string | null>`(
  SELECT p.slug FROM payments o JOIN projects p ON p.id = o.project_id
  WHERE o.user_id = activity.user_id AND o.digest = activity.digest AND o.state NOT IN ('failed', 'expired'))`.as(
  'projectSlug',
);

/** What was confirmed to a user about money and tokens, newest first (R36). */
export async function listActivity(db: Db, userId: number, page: PageQuery): Promise<Page<Activity>> {
  const cursors = idCursors(`activity:${userId}`);
  const before = cursors.read(page);
  const own = db.selectFrom('activity').where('userId', '=', userId);
  const [rows, total] = await Promise.all([
    own
      .select(['id', 'kind', 'text', 'tokens', 'amountMist', 'digest', 'createdAt'])
      .select(projectSlug)
      .$call((query) => (before === null ? query : query.where('id', '<', before)))
      .orderBy('id', 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(db, own.select('id')),
  ]);
  return mapPage(
    toPage(rows, page, ({ id }) => cursors.write(id), total),
    (row) => ({
      ...row,
      amountMist: row.amountMist === null ? null : String(row.amountMist),
      createdAt: row.createdAt.toISOString(),
    }),
  );
}
