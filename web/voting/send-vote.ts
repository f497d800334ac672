import { isolated } from '#shared/text/isolated.ts';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { castVote } from '#shared/contract/votes.ts';
import type { Project } from '#shared/contract/types.ts';
import { VOTE_REJECTIONS, type VoteFate } from '#shared/voting/vote-rejections.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import type { ResponseBody } from '../lib/http.ts';
import { lostAction } from '../lib/lost-action.ts';
import { clockText } from '../lib/moment-text.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { noteLimit } from './numbers.ts';
import type { VoteType } from './vote-type.ts';

export interface NewVote {
  userId: number;
  project: Project;
  voteType: VoteType;
  /** The user's vote in this listing period that this one changes or confirms (R57). Left out for a first vote. */
  changes?: VoteType;
}

export type VoteResponse = ResponseBody<typeof castVote>;

export interface VoteFailure {
  /** lost: no response came, so the vote may have arrived. retry: the next attempt may succeed. */
  kind: VoteFate | 'lost' | 'retry';
  code: string;
  message: string;
  retryAfterS: number | null;
}

export type VoteResult = { kind: 'counted'; response: VoteResponse } | VoteFailure;

/** Why a project takes no vote of this user, by `canVote` of the server. */
export const CANNOT_VOTE = {
  own: "You can't vote on your own project",
  voted: 'You have already voted on it',
  barred: 'You already voted with an account you deleted',
  expired: 'This listing has expired and takes no votes',
  hidden: 'This project is hidden and takes no votes',
} as const;

const REJECTIONS: Partial<Record<string, { fate: VoteFate }>> = VOTE_REJECTIONS;

function kindOf({ status, code }: ApiError): VoteFailure['kind'] {
  if (status === 0) return 'lost';
  // 429 with a code that is not listed is a limit by address.
  const isTemporary = status >= 500 || status === 408 || status === 429;
  return REJECTIONS[code]?.fate ?? (status === 401 ? 'no_session' : isTemporary ? 'retry' : 'returned');
}

/** 'You have changed 60 votes in the last 6 hours. You can change votes again at 18:40.' Nothing else on the page shows this limit. */
function withTime(message: string, retryAfterS: number): string {
  const at = clockText(new Date(serverNow() + retryAfterS * 1000).toISOString());
  return `${message.replace(/\.$/, '')}. You can change votes again at ${at}.`;
}

export function failureOf(error: unknown): VoteFailure {
  const message = errorText(error, 'Failed to submit vote');
  if (!(error instanceof ApiError)) return { kind: 'retry', code: '', message, retryAfterS: null };
  const { code, retryAfterS } = error;
  const isTimed = code === 'change_limit' && retryAfterS !== null;
  return { kind: kindOf(error), code, message: isTimed ? withTime(message, retryAfterS) : message, retryAfterS };
}

export async function sendVote({ userId, project, voteType, changes }: NewVote): Promise<VoteResult> {
  const { id: projectId, identity } = project;
  try {
    if (changes !== undefined) {
      const changed = await api.changeVote({ params: { projectId }, body: { voteType, identity } });
      return { kind: 'counted', response: { ...changed, tokensEarned: 0, congratulation: null } };
    }
    const body = { userId, projectId, voteType, identity, tokensEarned: VOTE_REWARD_TOKENS };
    return { kind: 'counted', response: await api.castVote({ body }) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code === 'vote_limit') noteLimit(userId, failure.retryAfterS);
    // Its card may be one of the day's, which no vote refreshes.
    if (failure.kind === 'renamed')
      void queryClient.invalidateQueries({ queryKey: queries.dailyDeck(userId).queryKey });
    return failure;
  }
}

/** Tells the user why a vote does not count. `place` says where the card is now, for the offer to sign in again. */
export function showFailure({ project }: NewVote, failure: VoteFailure, place = ''): void {
  const { code, message } = failure;
  if (code === 'already_voted') {
    toast({ title: 'Already voted', description: `Your earlier vote on ${isolated(project.name)} counts.` });
  } else if (code === 'renamed') {
    toast({ title: `${isolated(project.name)} has changed`, description: message });
  } else if (code === 'change_limit') {
    toast({ title: 'Too many changes', description: message });
  } else if (session.get().status === 'ended') {
    lostAction.set(`Your vote on ${isolated(project.name)} was not counted.${place}`);
  } else {
    toast({ title: 'Vote Failed', description: message, variant: 'destructive' });
  }
}
