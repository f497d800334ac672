import { CONGRATULATION_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_MS } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { toUserStats, toVotingStatus } from '../users/queries.ts';
import type { Services, Vote, VoteOutcome } from '../services.ts';
import { REJECTIONS } from './outcomes.ts';

function windowEnd({ windowStartedAt }: VoteOutcome): Date | null {
  return windowStartedAt && new Date(windowStartedAt.getTime() + VOTE_WINDOW_MS);
}

/** Whole seconds until the window of the voter ends, one at least. */
function waitSeconds(outcome: VoteOutcome): number {
  const waitMs = (windowEnd(outcome)?.getTime() ?? Date.now()) - Date.now();
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/** Casts a vote and describes what it changed; throws the rejection that R7 and R8 name. */
export async function castVote(
  { votes: engine, cache }: Pick<Services, 'votes' | 'cache'>,
  vote: Vote,
): Promise<ResponseOf<typeof votes.castVote>> {
  const outcome = await engine.castVote(vote);
  if (outcome.decided !== 'counted') throw REJECTIONS[outcome.decided](waitSeconds(outcome));
  // The voter's next poll of this server must not be older than this response; the other servers learn of it by notification.
  cache.invalidate(`u:${vote.userId}`);
  const passed =
    outcome.tokensEarned >= CONGRATULATION_TOKENS && outcome.tokensEarned - VOTE_REWARD_TOKENS < CONGRATULATION_TOKENS;
  return {
    userStats: toUserStats(outcome),
    votingStatus: toVotingStatus(outcome.windowVotes, windowEnd(outcome)),
    tokensEarned: VOTE_REWARD_TOKENS,
    congratulation: passed ? CONGRATULATION_TOKENS : null,
  };
}
