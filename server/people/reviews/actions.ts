import { isolated } from '#shared/text/isolated.ts';
import { sql } from 'kysely';
import { REVIEW_COST_TOKENS, SENTENCE_COST_TOKENS } from '#shared/constants.ts';
import { validateReview, validateSentence } from '#shared/rules.ts';
import { cleanLine, cleanText } from '#shared/text/clean-text.ts';
import type { Db } from '#db/client.ts';
import { isUniqueViolation } from '#db/unique-violation.ts';
import { recordActivity } from '#server/books/activity.ts';
import { conflict, forbidden, invalidField, notFound } from '#server/kit/http/errors.ts';
import { lockBalance, post } from '#server/books/ledger.ts';
import { recordNotices, reviewLink } from '#server/books/notices.ts';
import { newestOpinion, undoableUntil } from '#server/books/opinions.ts';
import { leadsAway } from '#server/listings/projects/leads-away.ts';
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
      text: `Review of ${isolated(project.name)} posted: ${REVIEW_COST_TOKENS} Snaps have been burned`,
      tokens: -REVIEW_COST_TOKENS,
    });
    await recordNotices(trx, {
      userId: project.ownerId,
      kind: 'review',
      text: `${isolated(project.name)} has a new review`,
      link: reviewLink(project.slug, id),
    });
    return id;
  });
}

/** The vote of the present listing period, once its result may be seen (R59). */
async function findFinalVote(
  trx: Db,
  { userId, projectId, undoWindowMs }: { userId: number; projectId: number; undoWindowMs: number },
): Promise<{ period: number; hasStanding: boolean } | undefined> {
  const { rows } = await sql<{ period: number; hasStanding: boolean }>`
    SELECT v.period, coalesce(s.state = 'standing', false) AS has_standing FROM projects p
    JOIN user_stats u ON u.user_id = ${userId} LEFT JOIN voter_standing s ON s.user_id = u.user_id
    CROSS JOIN LATERAL ${newestOpinion(userId, sql`p.id::int`)} v
    WHERE p.id = ${projectId} AND p.expires_at > now() AND v.period = period_at(p.period_starts, now())
      AND ${undoableUntil(undoWindowMs)} IS NULL`.execute(trx);
  return rows[0];
}

const LEADS_AWAY = {
  title: 'No links here',
  message: 'A sentence has no links, handles, addresses or telephone numbers',
};
const UNIQUE_SENTENCE = 'reviews_sentence_idx';

/**
 * Posts a sentence and burns its price, both or none (R89). The voter needs standing, and a final vote of the present listing
 * period. @throws 400 (field `content`), 403 own project or no standing, 404, 409
 */
export async function postSentence(
  { db, undoWindowMs }: Services,
  { userId, walletAddress }: { userId: number; walletAddress: string },
  projectRef: string,
  text: string,
): Promise<number> {
  const content = cleanLine(text);
  const error = validateSentence(content) ?? (leadsAway(content) ? LEADS_AWAY : null);
  if (error) throw invalidField('content', `${error.title}. ${error.message}`);
  const project = await findProject(db, projectRef);
  if (!project || project.hiddenAt) throw notFound('project_not_found', 'Project not found');
  if (project.submittedBy === walletAddress) throw forbidden('own_project', 'You cannot write about your own project');

  return db.transaction().execute(async (trx) => {
    const balance = await lockBalance(trx, userId);
    const vote = await findFinalVote(trx, { userId, projectId: project.id, undoWindowMs });
    if (!vote)
      throw conflict(
        'vote_first',
        'Vote on the project first. A sentence can be added once the result of your vote is shown.',
      );
    if (!vote.hasStanding)
      throw forbidden('no_standing', 'Your wallet is not verified yet. Your portfolio says what is missing.');
    if (balance < SENTENCE_COST_TOKENS)
      throw conflict('insufficient_tokens', `A sentence burns ${SENTENCE_COST_TOKENS} Snaps. You have ${balance}.`);
    const id = await insertReview(trx, { projectId: project.id, userId, content, period: vote.period }).catch(
      (failure: unknown) => {
        if (isUniqueViolation(failure, UNIQUE_SENTENCE))
          throw conflict(
            'already_said',
            'You have written a sentence about this project in its present listing period',
          );
        throw failure;
      },
    );
    await post(trx, { userId, kind: 'sentence_burn', ref: id, amount: -SENTENCE_COST_TOKENS });
    await recordActivity(trx, {
      userId,
      kind: 'review_posted',
      text: `Sentence about ${isolated(project.name)} posted: ${SENTENCE_COST_TOKENS} Snaps have been burned`,
      tokens: -SENTENCE_COST_TOKENS,
    });
    await recordNotices(trx, {
      userId: project.ownerId,
      kind: 'review',
      text: `A voter wrote a sentence about ${isolated(project.name)}`,
      link: reviewLink(project.slug, id),
    });
    return id;
  });
}
