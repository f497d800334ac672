import { notices } from '#shared/contract/index.ts';
import { implement, implementCached } from '../http/declare.ts';
import { isFirstPage, pageHeaders } from '../http/pages.ts';
import { countUnread, listNotices, markRead } from './queries.ts';

export const noticeRoutes = [
  // The first page is what the bell polls.
  implementCached(notices.listNotices, {
    key: ({ session, query }) => (isFirstPage(notices.listNotices, query) ? `notices:${session.userId}` : null),
    tags: ({ session }) => [`m:${session.userId}`],
    load: async ({ services: { db }, session: { userId }, query }) => {
      const [page, unread] = await Promise.all([listNotices(db, userId, query), countUnread(db, userId)]);
      return { value: { unread, notices: page.rows }, headers: pageHeaders(page) };
    },
  }),
  implement(notices.readNotices, async ({ services: { db }, session: { userId }, body }) => {
    await markRead(db, userId, body.upTo);
    return { unread: await countUnread(db, userId) };
  }),
];
