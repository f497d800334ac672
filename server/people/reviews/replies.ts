import { isolated } from '#shared/text/isolated.ts';
import type { Db } from '#db/client.ts';
import { cleanText } from '#shared/text/clean-text.ts';
import type { ReviewReply } from '#shared/contract/reviews.ts';
import { validateReview } from '#shared/rules.ts';
import { conflict, forbidden, invalidField, notFound } from '#server/kit/http/errors.ts';
import { recordNotices, reviewLink, takeBackNotices } from '#server/books/notices.ts';
import type { Services } from '#server/kit/services.ts';

/** Locked until the transaction ends. @throws 403, 404 hidden or unknown, 409 reply hidden */
async function lockOwn(trx: Db, ownerId: number, reviewId: number) {
  const review = await trx
    .selectFrom('reviews')
    .innerJoin('projects', 'projects.id', 'reviews.projectId')
    .select(['reviews.userId', 'projects.ownerId', 'projects.name', 'projects.slug'])
    .where('reviews.id', '=', reviewId)
    .where('reviews.hiddenAt', 'is', null)
    .where('projects.hiddenAt', 'is', null)
    .forUpdate('reviews')
    // A deletion of the owner's account hands the project over.
    .forShare('projects')
    .executeTakeFirst();
  if (!review) throw notFound('review_not_found', 'Review not found');
  if (review.ownerId !== ownerId)
    throw forbidden('not_owner', 'Only the owner of the project can reply to its reviews');
  const reply = await trx
    .selectFrom('reviewReplies')
    .select('hiddenAt')
    .where('reviewId', '=', reviewId)
    .executeTakeFirst();
  if (reply?.hiddenAt) throw conflict('reply_hidden', 'This reply was hidden by a moderator and cannot be changed');
  return { ...review, isReplied: reply !== undefined };
}

/** The review's author gets a notice of the first reply (R51). @throws 400 (field `content`), and as lockOwn */
export async function replyToReview(
  { db }: Services,
  ownerId: number,
  reviewId: number,
  text: string,
): Promise<ReviewReply> {
  const content = cleanText(text);
  const error = validateReview(content, 'Reply');
  if (error) throw invalidField('content', `${error.title}. ${error.message}`);
  return db.transaction().execute(async (trx) => {
    const review = await lockOwn(trx, ownerId, reviewId);
    const { createdAt } = await trx
      .insertInto('reviewReplies')
      .values({ reviewId, content })
      .onConflict((onConflict) => onConflict.column('reviewId').doUpdateSet({ content }))
      .returning('createdAt')
      .executeTakeFirstOrThrow();
    if (!review.isReplied)
      await recordNotices(trx, {
        userId: review.userId,
        kind: 'reply',
        text: `${isolated(review.name)} replied to your review`,
        link: reviewLink(review.slug, reviewId),
      });
    return { content, createdAt: createdAt.toISOString() };
  });
}

export async function deleteReply({ db }: Services, ownerId: number, reviewId: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const review = await lockOwn(trx, ownerId, reviewId);
    if (!review.isReplied) throw notFound('reply_not_found', 'Reply not found');
    await trx.deleteFrom('reviewReplies').where('reviewId', '=', reviewId).execute();
    await takeBackNotices(trx, review.userId, 'reply', reviewLink(review.slug, reviewId));
  });
}
