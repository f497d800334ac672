import { z } from 'zod';
import type { Db } from '#db/client.ts';
import type { Review } from '#shared/contract/reviews.ts';
import type { Services } from '#server/kit/services.ts';
import { publicUser } from '#server/kit/public-user.ts';
import { cursorsOf, mapPage, type Page, type PageQuery, toFetch, toPage } from '#server/kit/http/pages.ts';

function reviewRows(db: Db) {
  return db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .leftJoin('reviewReplies', 'reviewReplies.reviewId', 'reviews.id')
    .select([
      'reviewReplies.content as replyContent',
      'reviewReplies.createdAt as repliedAt',
      'reviewReplies.hiddenAt as replyHiddenAt',
      'reviews.id',
      'reviews.content',
      'reviews.period',
      'reviews.createdAt',
      'users.username',
      'users.walletAddress',
      'users.avatarHash',
    ]);
}

function toReview(row: Awaited<ReturnType<ReturnType<typeof reviewRows>['executeTakeFirstOrThrow']>>): Review {
  const { avatarHash, username, walletAddress, replyContent, repliedAt, replyHiddenAt, period, ...review } = row;
  const isReplied = replyContent !== null && repliedAt !== null && replyHiddenAt === null;
  return {
    ...review,
    ...(period !== null && { isSentence: true as const }),
    createdAt: review.createdAt.toISOString(),
    user: publicUser({ username, walletAddress, avatarHash }),
    reply: isReplied ? { content: replyContent, createdAt: repliedAt.toISOString() } : null,
  };
}

export async function listReviews(
  { replica, cache }: Pick<Services, 'replica' | 'cache'>,
  projectId: number,
  page: PageQuery,
): Promise<Page<Review>> {
  const cursors = cursorsOf(`reviews:${projectId}`, z.int().positive());
  const before = cursors.read(page);
  const rows = reviewRows(replica)
    .where('reviews.projectId', '=', projectId)
    .where('reviews.hiddenAt', 'is', null)
    .$if(before !== null, (query) => query.where('reviews.id', '<', before ?? 0))
    .orderBy('reviews.id', 'desc')
    .limit(toFetch(page))
    .execute();
  // Cached separately: a change of a name reads the first page again, and later pages are read each time.
  const total = cache.getOrLoad(`reviews-total:${projectId}`, [`reviews:${projectId}`], async () => ({
    value: await countReviews(replica, projectId),
  }));
  return mapPage(
    toPage(await rows, page, ({ id }) => cursors.write(id), await total),
    toReview,
  );
}

async function countReviews(db: Db, projectId: number): Promise<number> {
  const { count } = await db
    .selectFrom('reviews')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('projectId', '=', projectId)
    .where('hiddenAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findReview(db: Db, id: number): Promise<Review> {
  return toReview(await reviewRows(db).where('reviews.id', '=', id).executeTakeFirstOrThrow());
}

export async function insertReview(
  trx: Db,
  values: { projectId: number; userId: number; content: string; period?: number },
): Promise<number> {
  const { id } = await trx.insertInto('reviews').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}
