import { REVIEW_COST_TOKENS } from '#shared/constants.ts';
import { validateReview } from '#shared/rules.ts';
import { cleanText } from '#shared/clean-text.ts';
import { recordActivity } from '#server/books/activity.ts';
import { conflict, forbidden, invalidField, notFound } from '#server/kit/http/errors.ts';
import { lockBalance, post } from '#server/books/ledger.ts';
import { recordNotices, reviewLink } from '#server/books/notices.ts';
import { findProject } from '#server/listings/projects/queries.ts';
import type { Services } from '#server/kit/services.ts';
import { insertReview } from './queries.ts';

const TOO_FEW_TOKENS = `You need at least ${REVIEW_COST_TOKENS} tokens to post a review. Vote on projects to earn tokens!`;

/** Posts and burns, both or none (R15). @throws 400 (field `content`), 403 own project, 404, 409 not enough tokens */
export async function postReview(
  { db }: Services,
  userId: number,
  walletAddress: string,
  projectRef: string,
  text: string,
): Promise<number> {
  const content = cleanText(text);
  const error = validateReview(content);
  if (error) throw invalidField('content', `${error.title}. ${error.message}`);
  const project = await findProject(db, projectRef);
  if (!project || project.hiddenAt) throw notFound('project_not_found', 'Project not found');
  if (project.submittedBy === walletAddress) throw forbidden('own_project', 'You cannot review your own project');

  return db.transaction().execute(async (trx) => {
    const balance = await lockBalance(trx, userId);
    if (balance < REVIEW_COST_TOKENS) throw conflict('insufficient_tokens', TOO_FEW_TOKENS);
    const id = await insertReview(trx, { projectId: project.id, userId, content });
    await post(trx, { userId, kind: 'review_burn', ref: id, amount: -REVIEW_COST_TOKENS });
    await recordActivity(trx, {
      userId,
      kind: 'review_posted',
      text: `Review of ${project.name} posted: ${REVIEW_COST_TOKENS} Snaps have been burned`,
      tokens: -REVIEW_COST_TOKENS,
    });
    await recordNotices(trx, {
      userId: project.ownerId,
      kind: 'review',
      text: `${project.name} has a new review`,
      link: reviewLink(project.slug, id),
    });
    return id;
  });
}
