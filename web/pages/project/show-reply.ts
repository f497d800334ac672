import type { Review, ReviewReply } from '#shared/contract/reviews.ts';
import type { ListPage } from '../../lib/fetch-page.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import type { Pages } from '../../lib/use-list.ts';

/** Shows a review with this reply, on whichever page of the list it is, and reads the first page again. */
export function showReply(projectId: number, reviewId: number, reply: ReviewReply | null): void {
  const change = (page: ListPage<Review>): ListPage<Review> => ({
    ...page,
    rows: page.rows.map((row) => (row.id === reviewId ? { ...row, reply } : row)),
  });
  const head = queries.reviews(projectId).queryKey;
  queryClient.setQueryData<Pages<ListPage<Review>>>(
    queries.reviewPages(projectId).queryKey,
    (known) => known && { ...known, pages: known.pages.map(change) },
  );
  queryClient.setQueryData(head, (page) => page && change(page));
  void queryClient.invalidateQueries({ queryKey: head, exact: true });
}
