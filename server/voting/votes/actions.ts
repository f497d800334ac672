import { CONGRATULATION_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_MS } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { toUserStats, toVotingStatus } from '#server/people/users/queries.ts';
import { waitSeconds } from '#server/kit/http/errors.ts';
import type { Services, Vote, VoteOutcome } from '#server/kit/services.ts';
import { rejection } from './rejection.ts';

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
  if (outcome.decided === 'window_full') {
    throw rejection('window_full', waitSeconds((windowEnd(outcome)?.getTime() ?? 0) - Date.now()));
  }
  if (outcome.decided !== 'counted') throw rejection(outcome.decided);
  networks.note(vote.userId, address);
  return {
    userStats: toUserStats(outcome),
    votingStatus: toVotingStatus(outcome.windowVotes, windowEnd(outcome)),
    tokensEarned: VOTE_REWARD_TOKENS,
    congratulation: isCongratulated(outcome) ? CONGRATULATION_TOKENS : null,
  };
}
