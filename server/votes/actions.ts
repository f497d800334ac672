import { CONGRATULATION_TOKENS, VOTE_REWARD_TOKENS, VOTE_WINDOW_MS } from '#shared/constants.ts';
import type { votes } from '#shared/contract/index.ts';
import type { AnswerOf } from '#shared/endpoint.ts';
import { conflict, forbidden, notFound, tooMany, unauthorized } from '../http/errors.ts';
import { toUserStats, toVotingStatus } from '../users/queries.ts';
import type { Services } from '../services.ts';
import type { Outcome, Vote } from './engine.ts';

function windowEnd({ windowStartedAt }: Outcome): Date | null {
  return windowStartedAt && new Date(windowStartedAt.getTime() + VOTE_WINDOW_MS);
}

function refuse(outcome: Outcome): never {
  switch (outcome.status) {
    case 401:
      throw unauthorized('not_signed_in', 'User not logged in');
    case 412:
      throw forbidden('not_yours', 'You are signed in as another user');
    case 403:
      throw forbidden('own_project', 'You cannot vote on your own project');
    case 404:
      throw notFound('project_not_found', 'Project not found');
    case 409:
      throw conflict('already_voted', 'Already voted on this project');
    case 410:
      throw conflict('project_expired', 'This project has expired');
    default: {
      const waitMs = (windowEnd(outcome)?.getTime() ?? Date.now()) - Date.now();
      throw tooMany('vote_limit', 'Rate limit reached', Math.max(1, Math.ceil(waitMs / 1000)));
    }
  }
}

/** Casts a vote and describes what it changed; throws the refusal that R7 and R8 name. */
export async function castVote(
  { votes: engine, cache }: Pick<Services, 'votes' | 'cache'>,
  vote: Vote,
): Promise<AnswerOf<typeof votes.castVote>> {
  const outcome = await engine.castVote(vote);
  if (outcome.status !== 200) refuse(outcome);
  // The voter's next poll of this server must not be older than this answer; the others hear of it by the database's notice.
  cache.forget(`u:${vote.userId}`);
  const passed = outcome.earned >= CONGRATULATION_TOKENS && outcome.earned - VOTE_REWARD_TOKENS < CONGRATULATION_TOKENS;
  return {
    userStats: toUserStats(outcome),
    votingStatus: toVotingStatus(outcome.windowVotes, windowEnd(outcome)),
    tokensEarned: VOTE_REWARD_TOKENS,
    congratulation: passed ? CONGRATULATION_TOKENS : null,
  };
}
