import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { UNDO_GRACE_MS } from '#shared/constants.ts';
import type { ReadFailure } from '../../components/states/read-note.tsx';
import { queries } from '../../lib/queries.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { useSessionStatus, useSessionUser } from '../../lib/session.ts';
import { useStore } from '../../lib/external-store.ts';
import { useGuestVotes } from '../../offline/guest-votes.ts';
import { waiting } from '../../offline/waiting-votes.ts';
import { lastVote, offerUndo, type LastVote, type VoteResult } from '../../voting/last-vote.ts';
import { outcome } from '../../voting/outcome.ts';
import type { VoteType } from '../../voting/vote-type.ts';
import type { ProjectView } from './project-view.ts';

export type VoteState =
  | { step: 'visitor' | 'ended' | 'loading' | 'own' | 'barred' | 'expired' | 'hidden' }
  | { step: 'failed'; failure: ReadFailure }
  /** A visitor's vote, which waits for the sign-in, or a user's that has not reached the server. */
  | { step: 'guest'; vote: VoteType }
  | { step: 'sending'; vote: VoteType }
  | { step: 'open'; userId: number; lastTime: VoteType | null }
  | {
      step: 'voted';
      userId: number;
      vote: VoteType;
      since: string;
      when: string | undefined;
      changeableFrom: string | null;
      result: VoteResult | null;
      undo: LastVote | null;
    };

function closedFor(project: ProjectView): 'expired' | 'hidden' | null {
  if (project.hidden) return 'hidden';
  return Date.parse(project.expiresAt) <= serverNow() ? 'expired' : null;
}

const votedState = (vote: LastVote): VoteState => ({
  step: 'voted',
  userId: vote.userId,
  vote: vote.voteType,
  since: new Date(serverNow()).toISOString(),
  when: undefined,
  changeableFrom: null,
  result: null,
  undo: vote,
});

export function useVoteState(project: ProjectView): VoteState {
  const user = useSessionUser();
  const status = useSessionStatus();
  const closed = closedFor(project);
  const userId = user?.id ?? 0;
  const query = queries.ownVote(userId, project.id);
  const read = useQuery({ ...query, enabled: query.enabled && user !== null });
  const last = useStore(lastVote);
  const newest = last !== null && last.userId === userId && last.project.id === project.id ? last : null;
  const queued = useStore(waiting).find((vote) => vote.userId === userId && vote.project.id === project.id);
  const guestVote = useGuestVotes().find((vote) => vote.project.id === project.id);
  const own = read.data;
  useEffect(() => {
    if (!own?.vote || own.canVote !== 'voted') return;
    const { undoableUntil, vote } = own;
    if (undoableUntil === null) return;
    const { voteType } = vote;
    const leftMs = Date.parse(undoableUntil) - UNDO_GRACE_MS - serverNow();
    if (offerUndo(userId, project, { voteType, leftMs }))
      outcome.set({ vote: { userId, project, voteType }, fate: { kind: 'counted_before' } });
  }, [own, userId, project]);
  if (!user && guestVote && !closed) return { step: 'guest', vote: guestVote.voteType };
  if (!user) return { step: closed ?? 'visitor' };
  if (status === 'ended') return { step: 'ended' };
  if (newest && !newest.isCounted) return votedState(newest);
  if (queued) return { step: 'sending', vote: queued.voteType };
  const { error } = read;
  if (!own) {
    if (!error) return { step: 'loading' };
    return { step: 'failed', failure: { error, retry: () => void read.refetch(), isRetrying: read.isFetching } };
  }
  if (own.canVote === 'voted' && own.vote) {
    const result = own.result ?? newest?.result ?? null;
    const { voteType: vote, since, when } = own.vote;
    const { changeableFrom } = own;
    return {
      step: 'voted',
      userId,
      vote,
      since,
      when,
      changeableFrom,
      result,
      undo: newest,
    };
  }
  if (own.canVote !== 'yes') return { step: own.canVote === 'voted' ? 'loading' : own.canVote };
  return closed ? { step: closed } : { step: 'open', userId, lastTime: own.vote?.voteType ?? null };
}
