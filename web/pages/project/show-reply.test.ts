// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { listReviews, type Review } from '#shared/contract/reviews.ts';
import type { ListPage } from '../../lib/fetch-page.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import type { Pages } from '../../lib/use-list.ts';
import { ADDRESS, TIME } from '../../testing/made-up.ts';
import { useTestPage } from '../../testing/screen.tsx';
import { showReply } from './show-reply.ts';

const server = useTestPage();
const USER = { username: 'ana', walletAddress: ADDRESS, avatarUrl: null };
const review = (id: number): Review => ({ id, content: `Word ${id}`, createdAt: TIME, user: USER, reply: null });
const page = (...ids: number[]): ListPage<Review> => ({ rows: ids.map(review), nextCursor: null, total: 4 });
const REPLY = { content: 'Thank you', createdAt: TIME };
const pagesKey = queries.reviewPages(1).queryKey;
const headKey = queries.reviews(1).queryKey;
const replied = () => ({
  pages: queryClient
    .getQueryData<Pages<ListPage<Review>>>(pagesKey)
    ?.pages.map(({ rows }) => rows.flatMap(({ id, reply }) => (reply ? [[id, reply.content]] : []))),
  head: queryClient.getQueryData(headKey)?.rows.flatMap(({ id, reply }) => (reply ? [id] : [])),
});

beforeEach(() => server().respond(listReviews, [], { total: 0 }));

test('a reply is shown on the page that has its review, until it is deleted', () => {
  queryClient.setQueryData(pagesKey, { pages: [page(4, 3), page(2, 1)], pageParams: [undefined, '3'] });
  queryClient.setQueryData(headKey, page(4, 3));
  queryClient.setQueryData(queries.reviews(2).queryKey, page(2));
  showReply(1, 2, REPLY);
  expect(replied()).toEqual({ pages: [[], [[2, 'Thank you']]], head: [] });
  expect(queryClient.getQueryData(queries.reviews(2).queryKey)).toEqual(page(2));
  showReply(1, 4, REPLY);
  expect(replied()).toEqual({ pages: [[[4, 'Thank you']], [[2, 'Thank you']]], head: [4] });
  showReply(1, 4, null);
  expect(replied()).toEqual({ pages: [[], [[2, 'Thank you']]], head: [] });
});
