import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { announcement } from './announce.ts';
import type { ListPage } from './fetch-page.ts';
import { moreOf, type Pages } from './use-list.ts';

type Row = { id: number };
type Query = UseInfiniteQueryResult<Pages<ListPage<Row>>>;

const pageOf = (from: number): ListPage<Row> => ({
  rows: [{ id: from }, { id: from - 1 }],
  nextCursor: String(from - 1),
  total: 7,
});
const pagesOf = (...starts: number[]): Pages<ListPage<Row>> => ({
  pages: starts.map(pageOf),
  pageParams: starts.map(() => undefined),
});

/** Two of seven rows are shown; what is asked for next is two more. */
function twoOfSeven(changes: object = {}) {
  const fetchNextPage = vi.fn<() => Promise<object>>(async () => ({
    data: pagesOf(7, 5),
    isFetchNextPageError: false,
    ...changes,
  }));
  const state = { data: pagesOf(7), hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false };
  const query = { ...state, fetchNextPage, ...changes } as unknown as Query;
  return { more: moreOf<Row, ListPage<Row>>(query, 7, 'reviews'), fetchNextPage };
}

test('announces to screen readers how many rows arrived and how many are shown', async () => {
  await twoOfSeven().more.showMore();
  expect(announcement.get()).toBe('2 more reviews, 4 shown');
});

test('a second press while rows are on their way asks for nothing', async () => {
  const { more, fetchNextPage } = twoOfSeven({ isFetchingNextPage: true });
  await more.showMore();
  expect(fetchNextPage).not.toHaveBeenCalled();
});

test('does not announce rows that did not arrive', async () => {
  announcement.set('before');
  await twoOfSeven({ isFetchNextPageError: true }).more.showMore();
  expect(announcement.get()).toBe('before');
});

test('a list that is whole counts what is shown, whatever total came with it', () => {
  expect(twoOfSeven().more).toMatchObject({ shown: 2, total: 7, hasMore: true });
  expect(twoOfSeven({ hasNextPage: false }).more).toMatchObject({ shown: 2, total: 2, hasMore: false });
});
