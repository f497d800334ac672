import type { OwnVote } from '#shared/contract/votes.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { noteVote } from './last-vote.ts';
import { refreshSoon, showNumbers } from './numbers.ts';
import { type NewVote, sendVote, showFailure } from './send-vote.ts';
import type { VoteType } from './vote-type.ts';

/** The user's vote after a vote or a change that has counted, until it is read again. */
function ownVoteAfter({ project, voteType, changes }: NewVote, known: OwnVote | undefined): OwnVote {
  const now = new Date(serverNow()).toISOString();
  const before = changes === undefined ? null : (known?.vote ?? null);
  const isConfirmed = before?.voteType === voteType;
  return {
    vote: {
      voteType,
      period: project.period,
      createdAt: before?.createdAt ?? now,
      since: isConfirmed ? before.since : now,
      saidAt: now,
    },
    canVote: 'voted',
    changeableFrom: null,
    undoableUntil: null,
    result: null,
  };
}

/**
 * Votes on a project, or changes the vote, outside of the deck (R48, R57); resolves when the outcome is shown. A change without a response
 * is left to the caller, who may let it wait.
 */
export async function voteOnProject(vote: NewVote, lastTime: VoteType | null): Promise<'done' | 'change_lost'> {
  const startedAtMs = performance.now();
  const { userId, project } = vote;
  const { queryKey } = queries.ownVote(userId, project.id);
  const result = await sendVote(vote);
  if (session.get().user?.id !== userId) return 'done';
  if (result.kind === 'counted') {
    const streak = showNumbers(userId, result.response);
    queryClient.setWritten(queryKey, (known) => ownVoteAfter(vote, known));
    noteVote({ ...vote, lastTime, streak, startedAtMs }, result.response);
  } else if (result.kind === 'lost' && vote.changes !== undefined) {
    return 'change_lost';
  } else {
    // The project may have been voted on elsewhere, or be expired or hidden by now.
    void queryClient.invalidateQueries({ queryKey });
    showFailure(vote, result);
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
  return 'done';
}
