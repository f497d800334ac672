import { sql } from 'kysely';
import type { Db } from '#db/client.ts';
import { UNDO_WINDOW_HOURS, UNDOS_PER_WINDOW } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { conflict, type HttpError, notFound, tooMany } from '#server/kit/http/errors.ts';
import type { Services } from '#server/kit/services.ts';
import { findStats, findVotingStatus } from '#server/people/users/queries.ts';
import { secondsUntilOld } from './wait.ts';

/** The values of the database's type undo_outcome. */
type UndoOutcome = 'undone' | 'no_vote' | 'too_late' | 'spent' | 'too_many';

const REJECTIONS: Readonly<Record<Exclude<UndoOutcome, 'undone' | 'too_many'>, () => HttpError>> = {
  no_vote: () => notFound('vote_not_found', 'You have not voted on this project'),
  too_late: () => conflict('too_late', 'The vote can no longer be undone'),
  spent: () => conflict('reward_spent', 'The vote can no longer be undone: its reward is spent'),
};

/** 429 until the oldest of the counted undos is old enough. */
async function tooManyUndos(db: Db, userId: number): Promise<HttpError> {
  const oldest = sql<Date>`SELECT undone_at FROM undone_votes WHERE user_id = ${userId}
    ORDER BY undone_at DESC OFFSET ${UNDOS_PER_WINDOW - 1} LIMIT 1`;
  const message = `You have taken back ${UNDOS_PER_WINDOW} votes in the last ${UNDO_WINDOW_HOURS} hours. This one stays.`;
  return tooMany('undo_limit', message, await secondsUntilOld(db, oldest, UNDO_WINDOW_HOURS));
}

type Needed = Pick<Services, 'db' | 'undoWindowMs'>;

/**
 * Undoes the user's newest vote on a project (R46); returns the user's resulting figures. All of it or nothing: where
 * the numbers cannot be read, the vote stays.
 * @throws 404 no vote, 409 too late, 429 too many undos
 */
export async function undoVote(
  { db, undoWindowMs }: Needed,
  userId: number,
  projectId: number,
): Promise<ResponseOf<typeof votes.undoVote>> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ outcome: UndoOutcome }>`
      SELECT undo_vote(${userId}, ${projectId}, ${undoWindowMs} * interval '1 millisecond') AS outcome`.execute(trx);
    const outcome = rows[0]?.outcome ?? 'no_vote';
    if (outcome === 'too_many') throw await tooManyUndos(trx, userId);
    if (outcome !== 'undone') throw REJECTIONS[outcome]();
    return { userStats: await findStats(trx, userId), votingStatus: await findVotingStatus(trx, userId) };
  });
}
