import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { lostAction } from '../lib/lost-action.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { congratulation, noteVote } from './last-vote.ts';
import { noteLimit, refreshSoon, showNumbers } from './numbers.ts';
import type { VoteType } from './vote-type.ts';

function handleRejection(userId: number, { id, name }: Project, error: unknown): void {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'vote_limit') noteLimit(userId, error instanceof ApiError ? error.retryAfterS : null);
  // Voted on elsewhere, expired or hidden meanwhile: the page says what the server knows.
  void queryClient.invalidateQueries({ queryKey: queries.ownVote(userId, id).queryKey });
  if (session.get().status === 'ended') {
    lostAction.set(`Your vote on ${name} was not counted.`);
    return;
  }
  toast({ title: 'Vote Failed', description: errorText(error, 'Failed to submit vote'), variant: 'destructive' });
}

/** Votes on a project outside of the deck (R48); resolves when the outcome is shown. */
export async function voteOnProject(
  userId: number,
  project: Project,
  voteType: VoteType,
  lastTime: VoteType | null,
): Promise<void> {
  const startedAtMs = performance.now();
  try {
    const body = { userId, projectId: project.id, voteType, tokensEarned: VOTE_REWARD_TOKENS };
    const response = await api.castVote({ body });
    if (session.get().user?.id !== userId) return;
    const streak = showNumbers(userId, response);
    queryClient.setQueryData(queries.ownVote(userId, project.id).queryKey, {
      vote: { voteType, period: project.period, createdAt: new Date().toISOString() },
      canVote: 'voted',
      undoableUntil: null,
      result: null,
    });
    noteVote({ userId, project, voteType, lastTime, tokens: response.tokensEarned, streak, startedAtMs });
    if (response.congratulation !== null) congratulation.set(response.congratulation);
  } catch (error) {
    if (session.get().user?.id !== userId) return;
    handleRejection(userId, project, error);
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}
