import { isolated } from '#shared/text/isolated.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { announce } from '../lib/announce.ts';
import { nextFrame } from '../lib/next-frame.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { beginVote, dropVote, noteCounted } from './begin-vote.ts';
import { lostVote, noteLost, sendAgain } from './lost-votes.ts';
import { refreshSoon, showNumbers } from './numbers.ts';
import { isCounted, type Outcome, outcome } from './outcome.ts';
import { type NewVote, showFailure } from './send-vote.ts';
import { undosOver } from './undo.ts';
import type { VoteType } from './vote-type.ts';
import { serverAway } from '../lib/connection.ts';

/** A pending undo comes first: this vote would end it. */
async function sendInTurn(vote: NewVote): Promise<Outcome['fate']> {
  const turn = undosOver();
  if (turn) await turn;
  const attemptedAtMs = lostVote(vote)?.attemptedAtMs ?? null;
  const sentAtMs = serverNow();
  const fate = await sendAgain(vote, attemptedAtMs);
  const isLost = fate.kind === 'lost';
  noteLost(vote, isLost ? (attemptedAtMs ?? sentAtMs) : null);
  if (isLost) serverAway.set(true);
  return fate;
}

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

interface Cast {
  /** The user's vote in an earlier listing period. */
  lastTime: VoteType | null;
  /** Cast on the deck. */
  isSwiped?: boolean;
}

/** Sends a vote or a change immediately, so that a tab that closes right away does not lose it. */
export async function castVote(vote: NewVote, { lastTime, isSwiped = false }: Cast): Promise<void> {
  const { userId, project } = vote;
  const isOwn = () => session.get().user?.id === userId;
  const id = beginVote({ ...vote, lastTime });
  const fate = await sendInTurn(vote);
  if (!isOwn()) return dropVote(id);
  if (fate.kind !== 'counted') dropVote(id);
  if (isSwiped || isCounted(fate)) outcome.set({ vote, fate });
  const { queryKey } = queries.ownVote(userId, project.id);
  if (fate.kind === 'counted') {
    const streak = showNumbers(userId, fate.response);
    if (!isSwiped) queryClient.setWritten(queryKey, (known) => ownVoteAfter(vote, known));
    // The stack is drawn first.
    if (isSwiped) await nextFrame();
    if (!isOwn()) return dropVote(id);
    void noteCounted(id, vote, streak, fate.response);
  } else {
    // The project may have been voted on elsewhere, or be expired or hidden by now.
    if (!isSwiped) void queryClient.invalidateQueries({ queryKey });
    // The deck says it under the card.
    const isOnDeck = () => isSwiped && session.get().status !== 'ended' && location.pathname === '/';
    if (fate.kind === 'lost' && isOnDeck())
      announce(`The server is away. Your vote on ${isolated(project.name)} is not confirmed.`);
    else if ('message' in fate) showFailure(vote, fate, isSwiped ? ' The card is back on top.' : '');
    else toast({ title: '1 vote counted', description: isolated(project.name), variant: 'success' });
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}
