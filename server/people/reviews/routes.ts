import { reviews } from '#shared/contract/index.ts';
import { notFound } from '#server/kit/http/errors.ts';
import { isFirstPage, pageHeaders } from '#server/kit/http/pages.ts';
import { canonicalRef, findProject } from '#server/listings/projects/queries.ts';
import { route } from '#server/kit/http/declare.ts';
import { findStats } from '../users/queries.ts';
import { postReview, postSentence } from './actions.ts';
import { deleteReply, replyToReview } from './replies.ts';
import { findReview, listReviews } from './queries.ts';

export const reviewRoutes = [
  route(
    reviews.listReviews,
    {
      cache: {
        // Cached for the first page only: it is polled, and clients can ask for any number of others.
        key: ({ params, query }) =>
          isFirstPage(reviews.listReviews, query) ? `reviews:${canonicalRef(params.id)}` : null,
        // Until it is known which project this is, any review and any project may change it.
        reads: ['reviews', 'profiles', 'projects'],
      },
      cost: 'long',
    },
    async ({ services, params, query }) => {
      const project = await findProject(services.replica, params.id);
      if (!project || project.hiddenAt) throw notFound('project_not_found', 'Project not found');
      const page = await listReviews(services, project.id, query);
      return {
        value: page.rows,
        headers: pageHeaders(page),
        tags: [`reviews:${project.id}` as const, 'profiles' as const, 'projects' as const],
      };
    },
  ),

  route(reviews.postReview, { writes: ['reviews:*', 'stats:own'] }, async ({ services, session, params, body }) => {
    const id = body.isSentence
      ? await postSentence(services, session, params.id, body.content)
      : await postReview(services, session.userId, session.walletAddress, params.id, body.content);
    const [review, userStats] = await Promise.all([
      findReview(services.db, id),
      findStats(services.db, session.userId),
    ]);
    return { ...review, userStats };
  }),
  route(reviews.replyToReview, { writes: ['reviews:*'] }, ({ services, session, params, body }) =>
    replyToReview(services, session.userId, params.id, body.content),
  ),
  route(reviews.deleteReply, { writes: ['reviews:*'] }, ({ services, session, params }) =>
    deleteReply(services, session.userId, params.id),
  ),
];
