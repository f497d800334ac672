import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Review } from '#shared/contract/reviews.ts';
import type { ListPage } from '../../lib/fetch-page.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { moreOf, type Pages, pagesOf } from '../../lib/use-list.ts';
import { mergeHead } from './merge-head.ts';

type ReviewPages = Pages<ListPage<Review>>;
const alone = (head: ListPage<Review>): ReviewPages => ({ pages: [head], pageParams: [undefined] });

/** Newest first. The first page is polled (S9.4) and merged with the older pages. */
export function useReviews(projectId: number) {
  const head = useQuery({ ...queries.reviews(projectId), refetchOnMount: 'always' });
  const source = queries.reviewPages(projectId);
  const pages = useInfiniteQuery({ ...pagesOf(source), enabled: false });
  const joined = useRef<ListPage<Review> | null>(null);
  const { data } = head;
  const { refetch, isFetching } = pages;
  useEffect(() => {
    // A pending page is put behind those that were there when it was asked for.
    if (!data || data === joined.current || isFetching) return;
    joined.current = data;
    const { queryKey } = queries.reviewPages(projectId);
    const merged = mergeHead(queryClient.getQueryData<ReviewPages>(queryKey), data);
    if (merged) queryClient.setQueryData(queryKey, merged);
    else void readAll();

    async function readAll(): Promise<void> {
      const { isError } = await refetch();
      if (isError && data) queryClient.setQueryData(queryKey, alone(data));
    }
  }, [data, isFetching, projectId, refetch]);
  const known = pages.data ?? (data && alone(data));
  const total = data ? (data.total ?? data.rows.length) : null;
  return {
    rows: known?.pages.flatMap(({ rows }) => rows),
    total,
    error: data ? null : head.error,
    retry: () => void head.refetch(),
    isRetrying: head.isFetching,
    more: moreOf<Review, ListPage<Review>>(pages, total, 'reviews'),
  };
}
