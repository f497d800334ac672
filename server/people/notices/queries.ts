import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import type { Notice } from '#shared/contract/notices.ts';
import { listById, mapPage, type Page, type PageQuery } from '#server/kit/http/pages.ts';

export async function listNotices(db: Db, userId: number, page: PageQuery): Promise<Page<Notice>> {
  const rows = db
    .selectFrom('notices')
    .where('userId', '=', userId)
    .select(['id', 'kind', 'text', 'link', 'createdAt', 'readAt']);
  return mapPage(await listById(db, { name: `notices:${userId}`, page, rows }), ({ createdAt, readAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  }));
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

export async function markRead(db: Db, userId: number, upTo: number): Promise<void> {
  await db
    .updateTable('notices')
    .set({ readAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('id', '<=', upTo)
    .where('readAt', 'is', null)
    .execute();
}
