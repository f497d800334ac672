import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { POLL_TOP_PROJECTS_MS } from '#shared/constants.ts';
import { ownPicture } from '#shared/listings/picture-address.ts';
import type { ListedProject } from '#shared/contract/projects.ts';
import { fetchRows, type ListPage } from '../../lib/fetch-page.ts';
import { firstListed } from '../../lib/queries.ts';
import type { Filters } from './use-filters.ts';
import { useGrowingCount } from './use-growing-count.ts';

type Page = ListPage<ListedProject>;
type Pages = InfiniteData<Page, string | undefined>;

const PAGE_ROWS = 100;

async function readPage({ sort, category, search }: Filters, cursor: string | undefined, signal: AbortSignal) {
  const query = { sort, limit: PAGE_ROWS, cursor, category: category ?? undefined, search: search || undefined };
  try {
    const { rows, ...place } = await fetchRows('searchProjects', { query, signal });
    return { ...place, rows: rows.map((row) => ({ ...row, imageUrl: ownPicture(row.imageUrl) })) };
  } catch (cause) {
    throw new Error('Failed to fetch leaderboard', { cause });
  }
}

function firstPage({ sort, category, search }: Filters): Pages | undefined {
  const { rows, sort: drawn } = firstListed() ?? {};
  if (!rows || sort !== drawn || category !== null || search !== '') return undefined;
  return { pages: [{ rows, nextCursor: null, total: rows.length }], pageParams: [undefined] };
}

export function useProjects(filters: Filters) {
  const { data, error, refetch, isFetching, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: ['searchProjects', filters],
      queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ nextCursor }: Page) => nextCursor ?? undefined,
      // As the data of the query, not in its place: rows that are the same when it is read are not drawn again.
      initialData: () => firstPage(filters),
      initialDataUpdatedAt: 0,
      staleTime: ({ state }) => (state.dataUpdatedAt === 0 ? 0 : Infinity),
      placeholderData: (previous: Pages | undefined) => previous,
      // Many pages stay as they were read, as long as nothing has changed them: reading them again would move what a user is looking at.
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : POLL_TOP_PROJECTS_MS),
      refetchOnMount: ({ state }) => (!state.isInvalidated && (state.data?.pages.length ?? 0) > 1 ? false : 'always'),
    });
  const rows = data?.pages.flatMap((page) => page.rows);
  const read = rows?.length ?? 0;
  const total = data?.pages[0]?.total ?? read;
  const { count, endRef } = useGrowingCount(total, read);
  const isShort = count > read && hasNextPage && !isFetchingNextPage && !error;
  useEffect(() => {
    if (isShort) void fetchNextPage();
  }, [isShort, fetchNextPage]);
  return {
    rows: rows?.slice(0, count),
    waiting: error ? 0 : count - Math.min(count, read),
    total,
    endRef,
    isOld: isPlaceholderData,
    error,
    refetch: () => void (data ? fetchNextPage() : refetch()),
    isFetching,
  };
}
