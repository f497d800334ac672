import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#db/client.ts';
import {
  CHANGE_PAUSE_MS,
  CHANGE_WINDOW_HOURS,
  CHANGES_PER_WINDOW,
  CONGRATULATION_TOKENS,
  UNDO_WINDOW_HOURS,
  UNDOS_PER_WINDOW,
  VOTE_REWARD_TOKENS,
  VOTE_WINDOW_MS,
} from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { VOTE_REJECTIONS, type VoteRejection } from '#shared/voting/vote-rejections.ts';
import { changesOf } from '#server/books/opinions.ts';
import { HttpError, waitSeconds } from '#server/kit/http/errors.ts';
import type { Services, Vote, VoteOutcome } from '#server/kit/services.ts';
import { findStats, findVotingStatus, toUserStats, toVotingStatus } from '#server/people/users/queries.ts';

type SentVote = Omit<Vote, 'bullish'> & { voteType: 'bullish' | 'bearish' };

export function rejection(code: VoteRejection, retryAfterS?: number): HttpError {
  const { status, message } = VOTE_REJECTIONS[code];
  return new HttpError(status, code, message, retryAfterS === undefined ? {} : { retryAfterS });
}

function windowEnd({ windowStartedAt }: VoteOutcome): Date | null {
  return windowStartedAt && new Date(windowStartedAt.getTime() + VOTE_WINDOW_MS);
}

/** The vote that first reaches the congratulation (R10): undos may have lowered the total. */
const isCongratulated = ({ tokensEarned, peakEarned }: VoteOutcome): boolean =>
  tokensEarned >= CONGRATULATION_TOKENS &&
  tokensEarned - VOTE_REWARD_TOKENS < CONGRATULATION_TOKENS &&
  peakEarned < CONGRATULATION_TOKENS;

/** Throws the vote's rejection (R7, R8). After a counted vote nothing delays or fails the response (R59). */
export async function castVote(
  { votes: engine, networks }: Pick<Services, 'votes' | 'networks'>,
  { tokenHash, userId, projectId, voteType, identity }: SentVote,
  address: string | undefined,
): Promise<ResponseOf<typeof votes.castVote>> {
  const outcome = await engine.castVote({ tokenHash, userId, projectId, bullish: voteType === 'bullish', identity });
  const endsAt = windowEnd(outcome);
  if (outcome.decided === 'vote_limit')
    throw rejection('vote_limit', waitSeconds((endsAt?.getTime() ?? 0) - Date.now()));
  if (outcome.decided !== 'counted') throw rejection(outcome.decided);
  networks.note(userId, address);
  return {
    userStats: toUserStats(outcome),
    votingStatus: toVotingStatus(outcome.windowVotes, endsAt),
    tokensEarned: VOTE_REWARD_TOKENS,
    congratulation: isCongratulated(outcome) ? CONGRATULATION_TOKENS : null,
  };
}

async function secondsUntilOld(db: Db, moment: RawBuilder<Date>, hours: number): Promise<number> {
  const { rows } = await sql<{ waitS: number | null }>`
    SELECT ceil(extract(epoch FROM (${moment}) + make_interval(hours => ${hours}) - clock_timestamp()))::int AS "waitS"`.execute(
    db,
  );
  return Math.max(1, rows[0]?.waitS ?? 1);
}

/** Throws the rejection (R57). If the resulting figures cannot be read, the vote stays as it was. */
export async function changeVote(
  { db, networks }: Pick<Services, 'db' | 'networks'>,
  { userId, projectId, voteType, identity = 0 }: Omit<SentVote, 'tokenHash'>,
  address: string | undefined,
): Promise<ResponseOf<typeof votes.changeVote>> {
  const response = await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ outcome: 'changed' | 'confirmed' | VoteRejection }>`
      SELECT change_vote(${userId}, ${projectId}, ${voteType === 'bullish'}, ${CHANGES_PER_WINDOW}, ${CHANGE_WINDOW_HOURS} * interval '1 hour',
        ${CHANGE_PAUSE_MS} * interval '1 millisecond', ${identity}) AS outcome`.execute(trx);
    const change = rows[0]?.outcome ?? 'vote_not_found';
    if (change === 'change_limit') {
      const oldest = sql<Date>`SELECT said_at FROM ${changesOf(userId)} c
        ORDER BY said_at DESC OFFSET ${CHANGES_PER_WINDOW - 1} LIMIT 1`;
      throw rejection(change, await secondsUntilOld(trx, oldest, CHANGE_WINDOW_HOURS));
    }
    if (change !== 'changed' && change !== 'confirmed') throw rejection(change);
    return { userStats: await findStats(trx, userId), votingStatus: await findVotingStatus(trx, userId), change };
  });
  networks.note(userId, address);
  return response;
}

/** Throws the rejection (R46). If the resulting figures cannot be read, the vote stays. */
export async function undoVote(
  { db, undoWindowMs }: Pick<Services, 'db' | 'undoWindowMs'>,
  userId: number,
  projectId: number,
): Promise<ResponseOf<typeof votes.undoVote>> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ outcome: 'undone' | VoteRejection }>`
      SELECT undo_vote(${userId}, ${projectId}, ${undoWindowMs} * interval '1 millisecond') AS outcome`.execute(trx);
    const outcome = rows[0]?.outcome ?? 'vote_not_found';
    if (outcome === 'undo_limit') {
      const oldest = sql<Date>`SELECT undone_at FROM undone_votes WHERE user_id = ${userId}
        ORDER BY undone_at DESC OFFSET ${UNDOS_PER_WINDOW - 1} LIMIT 1`;
      throw rejection(outcome, await secondsUntilOld(trx, oldest, UNDO_WINDOW_HOURS));
    }
    if (outcome !== 'undone') throw rejection(outcome);
    return { userStats: await findStats(trx, userId), votingStatus: await findVotingStatus(trx, userId) };
  });
}
