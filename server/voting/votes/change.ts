import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CHANGE_PAUSE_MS, CHANGE_WINDOW_HOURS, CHANGES_PER_WINDOW } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { conflict, type HttpError, notFound, tooMany } from '#server/kit/http/errors.ts';
import type { Services, Vote } from '#server/kit/services.ts';
import { findStats, findVotingStatus } from '#server/people/users/queries.ts';
import { REJECTIONS } from './actions.ts';
import { secondsUntilOld } from './wait.ts';

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
  | 'too_many';

const CHANGE_REJECTIONS: Readonly<Record<Exclude<Rejection, 'too_many'>, () => HttpError>> = {
  no_project: () => REJECTIONS.no_project(null),
  own_project: () => REJECTIONS.own_project(null),
  expired: () => REJECTIONS.expired(null),
  renamed: () => REJECTIONS.renamed(null),
  no_vote: () => notFound('vote_not_found', 'You have not voted on this project in its present listing period'),
  changed_today: () => conflict('changed_today', 'You have changed or confirmed this vote today'),
  too_soon: () => conflict('changed_too_soon', 'A vote can be changed one minute after it was given'),
};

const isChange = (outcome: Change | Rejection): outcome is Change => outcome === 'changed' || outcome === 'confirmed';

/** 429 until the oldest of the counted changes is old enough. */
async function tooManyChanges(db: Db, userId: number): Promise<HttpError> {
  const oldest = sql<Date>`SELECT said_at FROM vote_changes WHERE user_id = ${userId}
    ORDER BY said_at DESC OFFSET ${CHANGES_PER_WINDOW - 1} LIMIT 1`;
  const message = `You have changed or confirmed ${CHANGES_PER_WINDOW} votes in the last ${CHANGE_WINDOW_HOURS} hours. This one stays.`;
  return tooMany('change_limit', message, await secondsUntilOld(db, oldest, CHANGE_WINDOW_HOURS));
}

/**
 * Changes or confirms the user's vote on a project (R57), from `address`; returns the user's resulting figures. All of it
 * or nothing: where the numbers cannot be read, the vote stays as it was.
 * @throws 404 no vote in this listing period, 409 changed today, too soon, expired, or another identity than was seen, 429 too many changes
 */
export async function changeVote(
  { db, networks }: Pick<Services, 'db' | 'networks'>,
  { userId, projectId, bullish, identity = 0 }: Omit<Vote, 'tokenHash'>,
  address: string | undefined,
): Promise<ResponseOf<typeof votes.changeVote>> {
  const response = await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ outcome: Change | Rejection }>`
      SELECT change_vote(${userId}, ${projectId}, ${bullish}, ${CHANGES_PER_WINDOW}, ${CHANGE_WINDOW_HOURS} * interval '1 hour',
        ${CHANGE_PAUSE_MS} * interval '1 millisecond', ${identity}) AS outcome`.execute(trx);
    const outcome = rows[0]?.outcome ?? 'no_vote';
    if (outcome === 'too_many') throw await tooManyChanges(trx, userId);
    if (!isChange(outcome)) throw CHANGE_REJECTIONS[outcome]();
    return {
      userStats: await findStats(trx, userId),
      votingStatus: await findVotingStatus(trx, userId),
      change: outcome,
    };
  });
  networks.note(userId, address);
  return response;
}
