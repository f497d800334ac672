import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { CHANGE_PAUSE_MS, CHANGE_WINDOW_HOURS, CHANGES_PER_WINDOW } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import type { VoteRejection } from '#shared/vote-rejections.ts';
import type { Services, Vote } from '#server/kit/services.ts';
import { findStats, findVotingStatus } from '#server/people/users/queries.ts';
import { rejection } from './rejection.ts';
import { secondsUntilOld } from './wait.ts';

type Change = ResponseOf<typeof votes.changeVote>['change'];
const isChange = (outcome: Change | VoteRejection): outcome is Change =>
  outcome === 'changed' || outcome === 'confirmed';

/** Seconds until the oldest of the counted changes is old enough. */
const changesFullS = (db: Db, userId: number): Promise<number> =>
  secondsUntilOld(
    db,
    sql<Date>`SELECT said_at FROM vote_changes WHERE user_id = ${userId}
      ORDER BY said_at DESC OFFSET ${CHANGES_PER_WINDOW - 1} LIMIT 1`,
    CHANGE_WINDOW_HOURS,
  );

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
    const { rows } = await sql<{ outcome: Change | VoteRejection }>`
      SELECT change_vote(${userId}, ${projectId}, ${bullish}, ${CHANGES_PER_WINDOW}, ${CHANGE_WINDOW_HOURS} * interval '1 hour',
        ${CHANGE_PAUSE_MS} * interval '1 millisecond', ${identity}) AS outcome`.execute(trx);
    const outcome = rows[0]?.outcome ?? 'no_vote';
    if (outcome === 'too_many') throw rejection(outcome, await changesFullS(trx, userId));
    if (!isChange(outcome)) throw rejection(outcome);
    return {
      userStats: await findStats(trx, userId),
      votingStatus: await findVotingStatus(trx, userId),
      change: outcome,
    };
  });
  networks.note(userId, address);
  return response;
}
