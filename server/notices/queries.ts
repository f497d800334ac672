import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Notice } from '#shared/contract/notices.ts';
import { countRows, idCursors, mapPage, type Page, type PageQuery, toFetch, toPage } from '../http/pages.ts';

/** Notices of a user, newest first. */
export async function listNotices(db: Db, userId: number, page: PageQuery): Promise<Page<Notice>> {
  const cursors = idCursors(`notices:${userId}`);
  const before = cursors.read(page);
  const own = db.selectFrom('notices').where('userId', '=', userId);
  const [rows, total] = await Promise.all([
    own
      .select(['id', 'kind', 'text', 'link', 'createdAt', 'readAt'])
      .$if(before !== null, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(toFetch(page))
      .execute(),
    countRows(db, own.select('id')),
  ]);
  return mapPage(
    toPage(rows, page, ({ id }) => cursors.write(id), total),
    ({ createdAt, readAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      readAt: readAt?.toISOString() ?? null,
    }),
  );
}

export async function countUnread(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('notices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Marks the user's notices up to this one as read; those that came since stay unread. */
export async function markRead(db: Db, userId: number, upTo: number): Promise<void> {
  await db
    .updateTable('notices')
    .set({ readAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('id', '<=', upTo)
    .where('readAt', 'is', null)
    .execute();
}
