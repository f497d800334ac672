import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { NOTICE_KINDS } from '../people/notice-kinds.ts';
import { inPages } from './pages.ts';
import { Id, IdParam, Time } from './types.ts';

export const Notice = z.object({
  id: Id,
  kind: z.enum(NOTICE_KINDS),
  text: z.string(),
  link: z.string().nullable(),
  createdAt: Time,
  readAt: Time.nullable(),
});
export type Notice = z.output<typeof Notice>;

export const listNotices = endpoint('listNotices', {
  access: 'self',
  summary: 'Notifications, newest first, and how many are unread',
  params: IdParam,
  ...inPages({ size: 20, max: 200 }),
  response: z.object({ unread: z.int(), notices: z.array(Notice) }),
});

export const readNotices = endpoint('readNotices', {
  access: 'self',
  summary: 'Mark the notifications up to this one as read',
  params: IdParam,
  body: z.object({ upTo: Id }),
  response: z.object({ unread: z.int() }),
});
