import type { Db } from '#db/client.ts';
import type { Activity } from '#shared/contract/users.ts';
import { countRows, idCursors, mapPage, type Page, type PageQuery, toFetch, toPage } from '../http/pages.ts';

/** What was confirmed to a user about money and tokens, newest first (R36). */
export async function listActivity(db: Db, userId: number, page: PageQuery): Promise<Page<Activity>> {
  const cursors = idCursors(`activity:${userId}`);
  const before = cursors.read(page);
  const own = db.selectFrom('activity').where('userId', '=', userId);
  const [rows, total] = await Promise.all([
    own
      .select(['id', 'kind', 'text', 'tokens', 'amountMist', 'digest', 'createdAt'])
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
