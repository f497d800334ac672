import type { ListPage } from '../../lib/fetch-page.ts';
import type { Pages } from '../../lib/use-list.ts';

/**
 * The loaded pages with a newer first page in front: every row from the head's last one on stays where it is, so nothing is shown twice and
 * nothing is missing, however many rows came or went above. Null when more came than a page holds: then the rows between are unknown, and
 * all pages have to be read again.
 */
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
  // Where the head ends with the last row that was loaded, it knows better whether there is more.
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
