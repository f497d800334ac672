import {
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { announce } from './announce.ts';
import type { ListPage, ListSource } from './fetch-page.ts';
import { queryClient } from './queries.ts';

export type Pages<P> = InfiniteData<P, string | undefined>;

/** A list's pages as TanStack Query reads them. A refetch reads all that are loaded, each from where the one before it ends. */
export function pagesOf<T, P extends ListPage<T>>({ queryKey, load }: ListSource<T, P>) {
  return infiniteQueryOptions<P, Error, Pages<P>, readonly unknown[], string | undefined>({
    queryKey,
    queryFn: ({ pageParam, signal }) => load({ cursor: pageParam }, signal),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
}

export interface More {
  shown: number;
  total: number | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  hasFailed: boolean;
  showMore: () => Promise<void>;
}

const rowsOf = <T>(data: Pages<ListPage<T>> | undefined): T[] => data?.pages.flatMap(({ rows }) => rows) ?? [];

export function moreOf<T, P extends ListPage<T>>(
  query: UseInfiniteQueryResult<Pages<P>>,
  total: number | null,
  noun: string,
): More {
  const shown = rowsOf<T>(query.data).length;
  return {
    shown,
    total: query.hasNextPage ? total : shown,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasFailed: query.isFetchNextPageError,
    async showMore() {
      if (query.isFetchingNextPage) return;
      const { data, isFetchNextPageError } = await query.fetchNextPage();
      if (isFetchNextPageError) return;
      const now = rowsOf<T>(data).length;
      announce(`${(now - shown).toLocaleString()} more ${noun}, ${now.toLocaleString()} shown`);
    },
  };
}

interface ListOptions<P> {
  noun: string;
  refetchInterval?: (pages: Pages<P> | undefined) => number | false;
  keepPrevious?: boolean;
}

export function useList<T, P extends ListPage<T>>(source: ListSource<T, P>, options: ListOptions<P>) {
  const { noun, refetchInterval, keepPrevious = false } = options;
  const query = useInfiniteQuery({
    ...pagesOf(source),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => refetchInterval?.(state.data) ?? false,
    ...(keepPrevious ? { placeholderData: (previous: Pages<P> | undefined) => previous } : {}),
  });
  const key = JSON.stringify(source.queryKey);
  useEffect(() => {
    const queryKey = JSON.parse(key) as unknown[];
    return () =>
      void queryClient.setQueryData<Pages<P>>(
        queryKey,
        (known) => known && { pages: known.pages.slice(0, 1), pageParams: known.pageParams.slice(0, 1) },
      );
  }, [key]);
  const { data, error, refetch, isFetching } = query;
  const more = moreOf<T, P>(query, data?.pages.at(0)?.total ?? null, noun);
  return {
    rows: data && rowsOf<T>(data),
    first: data?.pages.at(0),
    /** Why there is nothing to show; a failed refetch keeps what is shown. */
    error: data ? null : error,
    retry: () => void refetch(),
    isRetrying: isFetching,
    more,
  };
}
