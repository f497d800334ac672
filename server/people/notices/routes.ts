import { notices } from '#shared/contract/index.ts';
import { route } from '#server/kit/http/declare.ts';
import { isFirstPage, pageHeaders } from '#server/kit/http/pages.ts';
import { countUnread, listNotices, markRead } from './queries.ts';

export const noticeRoutes = [
  route(
    notices.listNotices,
    {
      cache: {
        key: ({ session, query }) => (isFirstPage(notices.listNotices, query) ? `notices:${session.userId}` : null),
        reads: ['notices:own'],
      },
      cost: 'long',
    },
    async ({ services: { db }, session: { userId }, query }) => {
      const [page, unread] = await Promise.all([listNotices(db, userId, query), countUnread(db, userId)]);
      return { value: { unread, notices: page.rows }, headers: pageHeaders(page) };
    },
  ),
  route(notices.readNotices, { writes: ['notices:own'] }, async ({ services: { db }, session: { userId }, body }) => {
    await markRead(db, userId, body.upTo);
    return { unread: await countUnread(db, userId) };
  }),
];
