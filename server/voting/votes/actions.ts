import { CONGRATULATION_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_MS } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { toUserStats, toVotingStatus } from '#server/people/users/queries.ts';
import type { Services, Vote, VoteOutcome, VoteRejection } from '#server/kit/services.ts';
import {
  conflict,
  forbidden,
  type HttpError,
  notFound,
  tooMany,
  unauthorized,
  waitSeconds,
} from '#server/kit/http/errors.ts';

/** The response to each rejection (R7, R8). `windowEndsAt`: the end of the voter's window. */
export const REJECTIONS: Readonly<Record<VoteRejection, (windowEndsAt: Date | null) => HttpError>> = {
  no_session: () => unauthorized('not_signed_in', 'User not logged in'),
  other_session: () => forbidden('not_yours', 'You are signed in as another user'),
  no_project: () => notFound('project_not_found', 'Project not found'),
  own_project: () => forbidden('own_project', 'You cannot vote on your own project'),
  already_voted: () => conflict('already_voted', 'Already voted on this project'),
  expired: () => conflict('project_expired', 'This project has expired'),
  renamed: () =>
    conflict('renamed', 'You saw another name, picture, handle or website. Look at it again before you vote.'),
  window_full: (windowEndsAt) =>
    tooMany('vote_limit', 'Rate limit reached', waitSeconds((windowEndsAt?.getTime() ?? 0) - Date.now())),
};

function windowEnd({ windowStartedAt }: VoteOutcome): Date | null {
  return windowStartedAt && new Date(windowStartedAt.getTime() + VOTE_WINDOW_MS);
}

/**
 * Whether this is the vote that takes the total to the congratulation for the first time (R10): undone votes may have
 * taken it below again.
 */
const isCongratulated = ({ tokensEarned, peakEarned }: VoteOutcome): boolean =>
  tokensEarned >= CONGRATULATION_TOKENS &&
  tokensEarned - VOTE_REWARD_TOKENS < CONGRATULATION_TOKENS &&
  peakEarned < CONGRATULATION_TOKENS;

/**
 * Casts a vote that came from `address`, and describes its changes; throws the rejections of R7 and R8. Nothing after
 * the vote delays or fails the response: it has counted (R59).
 */
export async function castVote(
  { votes: engine, networks }: Pick<Services, 'votes' | 'networks'>,
  vote: Vote,
  address: string | undefined,
): Promise<ResponseOf<typeof votes.castVote>> {
  const outcome = await engine.castVote(vote);
  if (outcome.decided !== 'counted') throw REJECTIONS[outcome.decided](windowEnd(outcome));
  networks.note(vote.userId, address);
  return {
    userStats: toUserStats(outcome),
    votingStatus: toVotingStatus(outcome.windowVotes, windowEnd(outcome)),
    tokensEarned: VOTE_REWARD_TOKENS,
    congratulation: isCongratulated(outcome) ? CONGRATULATION_TOKENS : null,
  };
}
