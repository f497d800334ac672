import type { OwnVote } from '#shared/contract/votes.ts';
import { announce } from '../../lib/announce.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { connection } from '../../offline/connection.ts';
import { keepChange } from '../../offline/waiting-votes.ts';
import { noteVote } from '../../voting/last-vote.ts';
import { refreshSoon, showNumbers } from '../../voting/numbers.ts';
import { type NewVote, sendVote, showFailure } from '../../voting/send-vote.ts';
import type { VoteType } from '../../voting/vote-type.ts';

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

function letChangeWait(vote: NewVote, attemptedAtMs: number | null): void {
  keepChange(vote, attemptedAtMs);
  const words = `Your ${vote.voteType} vote on ${vote.project.name} is sent when you are back online.`;
  toast({ title: 'Waiting for the network', description: words });
  announce(words);
}

/** Votes on a project, or changes the vote, outside of the deck (R48, R57). A change waits for the network, a first vote does not. */
export async function voteOnProject(vote: NewVote, lastTime: VoteType | null): Promise<void> {
  const isChange = vote.changes !== undefined;
  if (isChange && connection.get() === 'offline') return letChangeWait(vote, null);
  const sentAtMs = serverNow();
  const startedAtMs = performance.now();
  const { userId, project } = vote;
  const { queryKey } = queries.ownVote(userId, project.id);
  const result = await sendVote(vote);
  if (session.get().user?.id !== userId) return;
  if (result.kind === 'counted') {
    const streak = showNumbers(userId, result.response);
    queryClient.setWritten(queryKey, (known) => ownVoteAfter(vote, known));
    noteVote({ ...vote, lastTime, streak, startedAtMs }, result.response);
  } else if (result.kind === 'lost' && isChange) {
    return letChangeWait(vote, sentAtMs);
  } else {
    // The project may have been voted on elsewhere, or be expired or hidden by now.
    void queryClient.invalidateQueries({ queryKey });
    showFailure(vote, result);
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}
