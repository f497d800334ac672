import { sql } from 'kysely';
import { CHANGE_PAUSE_MS, VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { conflict, type HttpError, notFound } from '../http/errors.ts';
import type { Services, Vote } from '../services.ts';
import { findStats, findVotingStatus } from '../users/queries.ts';
import { REJECTIONS } from './actions.ts';

type Change = ResponseOf<typeof votes.changeVote>['change'];
/** The values of the database's type change_outcome. */
type Rejection =
  | 'no_project'
  | 'own_project'
  | 'no_vote'
  | 'expired'
  | 'renamed'
  | 'changed_today'
  | 'too_soon'
  | 'window_full';

const CHANGE_REJECTIONS: Readonly<Record<Exclude<Rejection, 'window_full'>, () => HttpError>> = {
  no_project: () => REJECTIONS.no_project(null),
  own_project: () => REJECTIONS.own_project(null),
  expired: () => REJECTIONS.expired(null),
  renamed: () => REJECTIONS.renamed(null),
  no_vote: () => notFound('vote_not_found', 'You have not voted on this project in its present listing period'),
  changed_today: () => conflict('changed_today', 'You have changed or confirmed this vote today'),
  too_soon: () => conflict('changed_too_soon', 'A vote can be changed one minute after it was given'),
};

const isChange = (outcome: Change | Rejection): outcome is Change => outcome === 'changed' || outcome === 'confirmed';

/**
 * Changes or confirms the user's vote on a project (R57), from `address`; returns the user's resulting figures. All of it
 * or nothing: where the numbers cannot be read, the vote stays as it was.
 * @throws 404 no vote in this listing period, 409 changed today, too soon, expired, or another identity than was seen, 429 no votes left
 */
export async function changeVote(
  { db, networks }: Pick<Services, 'db' | 'networks'>,
  { userId, projectId, bullish, identity = 0 }: Omit<Vote, 'tokenHash'>,
  address: string | undefined,
): Promise<ResponseOf<typeof votes.changeVote>> {
  const response = await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ outcome: Change | Rejection }>`
      SELECT change_vote(${userId}, ${projectId}, ${bullish}, ${VOTES_PER_WINDOW}, ${VOTE_WINDOW_HOURS} * interval '1 hour',
        ${CHANGE_PAUSE_MS} * interval '1 millisecond', ${identity}) AS outcome`.execute(trx);
    const outcome = rows[0]?.outcome ?? 'no_vote';
    if (!isChange(outcome) && outcome !== 'window_full') throw CHANGE_REJECTIONS[outcome]();
    const votingStatus = await findVotingStatus(trx, userId);
    if (outcome === 'window_full') {
      const { periodEndsAt } = votingStatus;
      throw REJECTIONS.window_full(periodEndsAt === null ? null : new Date(periodEndsAt));
    }
    return { userStats: await findStats(trx, userId), votingStatus, change: outcome };
  });
  networks.note(userId, address);
  return response;
}
