import { isolated } from '#shared/isolated.ts';
import type { OwnVote } from '#shared/contract/votes.ts';
import { announce } from '../lib/announce.ts';
import { nextFrame } from '../lib/next-frame.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { beginVote, dropVote, noteCounted } from '../voting/begin-vote.ts';
import { refreshSoon, showNumbers } from '../voting/numbers.ts';
import { outcome } from '../voting/outcome.ts';
import { type NewVote, sendVote, showFailure } from '../voting/send-vote.ts';
import { undosOver, wishFor } from '../voting/undo.ts';
import type { VoteType } from '../voting/vote-type.ts';
import { connection } from './connection.ts';
import { dropWaiting, keepWaiting, letWait, type WaitingVote } from './waiting-votes.ts';

/** A call that takes longer than this may never arrive; shorter ones have been sent when the tab closes. */
const SLOW_CALL_MS = 2_000;

interface Call {
  /** Its number in `web/voting/`. */
  id: number;
  vote: WaitingVote;
  isSwiped: boolean;
  isKept: boolean;
}
/** Votes without an answer. */
const calls = new Set<Call>();

/** The tab closes: a vote that may not have left, and a wish to undo that nothing else would remember. */
function keepOpenCalls(): void {
  for (const call of calls) {
    const { id, vote, isSwiped } = call;
    const isUnwanted = wishFor(id) !== null;
    const isSent = vote.attemptedAtMs !== null && serverNow() - vote.castAtMs < SLOW_CALL_MS;
    if (!isUnwanted && (isSent || !isSwiped)) continue;
    call.isKept = true;
    keepWaiting({ ...vote, ...(isUnwanted && { isUnwanted }) });
  }
}
if (typeof window !== 'undefined') addEventListener('pagehide', keepOpenCalls);

/** A pending undo comes first: this vote would end it. */
async function sendInTurn(id: number, vote: NewVote, isSwiped: boolean) {
  const turn = undosOver();
  const castAtMs = serverNow();
  const call: Call = {
    id,
    vote: { ...vote, castAtMs, attemptedAtMs: turn ? null : castAtMs },
    isSwiped,
    isKept: false,
  };
  calls.add(call);
  if (turn) {
    await turn;
    call.vote.attemptedAtMs = serverNow();
  }
  const result = await sendVote(vote);
  // The page came back from the browser's cache, and the call continued.
  if (call.isKept) dropWaiting(call.vote);
  calls.delete(call);
  return { result, sentAtMs: call.vote.attemptedAtMs };
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

function wait(vote: NewVote, isSwiped: boolean, attemptedAtMs: number | null, isUnwanted = false): void {
  letWait(vote, attemptedAtMs, isUnwanted);
  const { project, voteType } = vote;
  // The deck has its notice of waiting votes.
  if (isSwiped && !isUnwanted) return;
  const words = isUnwanted
    ? `Your vote on ${isolated(project.name)} is taken back when you are back online.`
    : `Your ${voteType} vote on ${isolated(project.name)} is sent when you are back online.`;
  toast({ title: 'Waiting for the network', description: words });
  announce(words);
}

interface Cast {
  /** The user's vote in an earlier listing period. */
  lastTime: VoteType | null;
  /** Cast on the deck. On a project's page a first vote does not wait for the network. */
  isSwiped?: boolean;
}

/** Sends a vote or a change immediately, so that a tab that closes right away does not lose it, or lets it wait for the network. */
export async function castVote(vote: NewVote, { lastTime, isSwiped = false }: Cast): Promise<void> {
  const { userId, project, changes } = vote;
  const canWait = isSwiped || changes !== undefined;
  if (canWait && connection.get() === 'offline') return wait(vote, isSwiped, null);
  const isOwn = () => session.get().user?.id === userId;
  const id = beginVote({ ...vote, lastTime });
  const { result, sentAtMs } = await sendInTurn(id, vote, isSwiped);
  if (!isOwn()) return dropVote(id);
  if (canWait && result.kind === 'lost') {
    const isUnwanted = wishFor(id) !== null;
    dropVote(id);
    return wait(vote, isSwiped, sentAtMs, isUnwanted);
  }
  if (result.kind !== 'counted') dropVote(id);
  if (isSwiped || result.kind === 'counted') outcome.set({ vote, fate: result });
  const { queryKey } = queries.ownVote(userId, project.id);
  if (result.kind === 'counted') {
    const streak = showNumbers(userId, result.response);
    if (!isSwiped) queryClient.setWritten(queryKey, (known) => ownVoteAfter(vote, known));
    // The stack is drawn first.
    if (isSwiped) await nextFrame();
    if (!isOwn()) return dropVote(id);
    void noteCounted(id, vote, streak, result.response);
  } else {
    // The project may have been voted on elsewhere, or be expired or hidden by now.
    if (!isSwiped) void queryClient.invalidateQueries({ queryKey });
    showFailure(vote, result, isSwiped ? ' The card is back on top.' : '');
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}
