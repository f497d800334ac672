import { sql } from 'kysely';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { conflict, type HttpError, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { findStats, findVotingStatus } from '../users/queries.ts';

/** As the type undo_outcome of the database. */
type UndoOutcome = 'undone' | 'no_vote' | 'too_late' | 'spent';

const REJECTIONS: Readonly<Record<Exclude<UndoOutcome, 'undone'>, () => HttpError>> = {
  no_vote: () => notFound('vote_not_found', 'You have not voted on this project'),
  too_late: () => conflict('too_late', 'The vote can no longer be undone'),
  spent: () => conflict('reward_spent', 'The vote can no longer be undone: its reward is spent'),
};

type Needed = Pick<Services, 'db' | 'cache' | 'undoWindowMs'>;

/** Takes the user's newest vote on a project back (R46); what the user has then. @throws 404 no vote, 409 too late */
export async function undoVote(
  { db, cache, undoWindowMs }: Needed,
  userId: number,
  projectId: number,
): Promise<ResponseOf<typeof votes.undoVote>> {
  const { rows } = await sql<{ outcome: UndoOutcome }>`
    SELECT undo_vote(${userId}, ${projectId}, ${undoWindowMs} * interval '1 millisecond') AS outcome`.execute(db);
  const outcome = rows[0]?.outcome ?? 'no_vote';
  if (outcome !== 'undone') throw REJECTIONS[outcome]();
  cache.invalidate(`u:${userId}`);
  const [userStats, votingStatus] = await Promise.all([findStats(db, userId), findVotingStatus(db, userId)]);
  return { userStats, votingStatus };
}
