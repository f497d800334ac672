import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import { noteVote } from './last-vote.ts';
import { refreshSoon, showNumbers } from './numbers.ts';
import { type NewVote, sendVote, showFailure } from './send-vote.ts';
import type { VoteType } from './vote-type.ts';

/** Votes on a project outside of the deck (R48); resolves when the outcome is shown. */
export async function voteOnProject(vote: NewVote, lastTime: VoteType | null): Promise<void> {
  const startedAtMs = performance.now();
  const { userId, project, voteType } = vote;
  const { queryKey } = queries.ownVote(userId, project.id);
  const result = await sendVote(vote);
  if (session.get().user?.id !== userId) return;
  if (result.kind === 'counted') {
    showNumbers(userId, result.response);
    queryClient.setQueryData(queryKey, {
      vote: { voteType, period: project.period, createdAt: new Date().toISOString() },
      canVote: 'voted',
      undoableUntil: null,
      result: null,
    });
    noteVote({ ...vote, lastTime, startedAtMs }, result.response);
  } else {
    // The project may have been voted on elsewhere, or be expired or hidden by now.
    void queryClient.invalidateQueries({ queryKey });
    showFailure(vote, result);
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}
