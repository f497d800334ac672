import type { Db } from '#db/client.ts';
import type { Review } from '#shared/contract/reviews.ts';
import { imageUrl } from '../images/url.ts';

const REVIEWS_SHOWN = 200;

function reviewRows(db: Db) {
  return db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'reviews.userId')
    .select([
      'reviews.id',
      'reviews.content',
      'reviews.createdAt',
      'users.username',
      'users.walletAddress',
      'users.avatarHash',
    ]);
}

function toReview(row: Awaited<ReturnType<ReturnType<typeof reviewRows>['executeTakeFirstOrThrow']>>): Review {
  const { avatarHash, username, walletAddress, ...review } = row;
  return {
    ...review,
    createdAt: review.createdAt.toISOString(),
    user: { username, walletAddress, avatarUrl: avatarHash && imageUrl(avatarHash) },
  };
}

/** Reviews of a project that are not hidden, newest first. */
export async function listReviews(db: Db, projectId: number): Promise<Review[]> {
  const rows = await reviewRows(db)
    .where('reviews.projectId', '=', projectId)
    .where('reviews.hiddenAt', 'is', null)
    .orderBy('reviews.id', 'desc')
    .limit(REVIEWS_SHOWN)
    .execute();
  return rows.map(toReview);
}

export async function findReview(db: Db, id: number): Promise<Review> {
  return toReview(await reviewRows(db).where('reviews.id', '=', id).executeTakeFirstOrThrow());
}

export function insertReview(
  db: Db,
  values: { projectId: number; userId: number; content: string },
): Promise<{ id: number; createdAt: Date }> {
  return db.insertInto('reviews').values(values).returning(['id', 'createdAt']).executeTakeFirstOrThrow();
}
