import type { ListPage } from '../../lib/fetch-page.ts';
import type { Pages } from '../../lib/use-list.ts';

/** Puts a newer first page in front. Null when it does not overlap the loaded ones: then read all pages again. */
export function mergeHead<T extends { id: number }>(
  known: Pages<ListPage<T>> | undefined,
  head: ListPage<T>,
): Pages<ListPage<T>> | null {
  const last = head.rows.at(-1);
  if (!known || known.pages.length < 2 || head.nextCursor === null || !last)
    return { pages: [head], pageParams: [undefined] };
  const at = known.pages.findIndex(({ rows }) => rows.some(({ id }) => id === last.id));
  const page = known.pages[at];
  if (!page) return null;
  const below = page.rows.slice(page.rows.findIndex(({ id }) => id === last.id) + 1);
  const isEnd = below.length === 0 && at === known.pages.length - 1;
  const first = {
    rows: [...head.rows, ...below],
    nextCursor: isEnd ? head.nextCursor : page.nextCursor,
    total: head.total,
  };
  return {
    pages: [first, ...known.pages.slice(at + 1)],
    pageParams: [undefined, ...known.pageParams.slice(at + 1)],
  };
}
