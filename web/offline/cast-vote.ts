import type { OwnVote } from '#shared/contract/votes.ts';
import { announce } from '../lib/announce.ts';
import { nextFrame } from '../lib/next-frame.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { noteVote } from '../voting/last-vote.ts';
import { refreshSoon, showNumbers } from '../voting/numbers.ts';
import { outcome } from '../voting/outcome.ts';
import { type NewVote, sendVote, showFailure } from '../voting/send-vote.ts';
import type { VoteType } from '../voting/vote-type.ts';
import { connection } from './connection.ts';
import { dropWaiting, keepWaiting, letWait, type WaitingVote } from './waiting-votes.ts';

/** A call that takes longer than this may never arrive; shorter ones have been sent when the tab closes. */
const SLOW_CALL_MS = 2_000;

/** Votes of the deck whose calls are in flight, and whether they were stored because the tab was about to close. */
const calls = new Map<WaitingVote, 'open' | 'kept'>();

function keepSlowCalls(): void {
  for (const vote of calls.keys()) {
    if (serverNow() - vote.castAtMs < SLOW_CALL_MS) continue;
    calls.set(vote, 'kept');
    keepWaiting(vote);
  }
}
if (typeof window !== 'undefined') addEventListener('pagehide', keepSlowCalls);

async function sendSwiped(vote: NewVote, sentAtMs: number) {
  const call: WaitingVote = { ...vote, castAtMs: sentAtMs, attemptedAtMs: sentAtMs };
  calls.set(call, 'open');
  const result = await sendVote(vote);
  // The page came back from the browser's cache, and the call continued.
  if (calls.get(call) === 'kept') dropWaiting(call);
  calls.delete(call);
  return result;
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

function wait(vote: NewVote, isSwiped: boolean, attemptedAtMs: number | null): void {
  letWait(vote, attemptedAtMs);
  // The deck has its notice of waiting votes.
  if (isSwiped) return;
  const words = `Your ${vote.voteType} vote on ${vote.project.name} is sent when you are back online.`;
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
  const sentAtMs = serverNow();
  const startedAtMs = performance.now();
  const isOwn = () => session.get().user?.id === userId;
  const result = isSwiped ? await sendSwiped(vote, sentAtMs) : await sendVote(vote);
  if (!isOwn()) return;
  if (canWait && result.kind === 'lost') return wait(vote, isSwiped, sentAtMs);
  if (isSwiped || result.kind === 'counted') outcome.set({ vote, fate: result });
  const { queryKey } = queries.ownVote(userId, project.id);
  if (result.kind === 'counted') {
    const streak = showNumbers(userId, result.response);
    if (!isSwiped) queryClient.setWritten(queryKey, (known) => ownVoteAfter(vote, known));
    // The stack is drawn first.
    if (isSwiped) await nextFrame();
    if (!isOwn()) return;
    noteVote({ ...vote, lastTime, streak, startedAtMs }, result.response);
  } else {
    // The project may have been voted on elsewhere, or be expired or hidden by now.
    if (!isSwiped) void queryClient.invalidateQueries({ queryKey });
    showFailure(vote, result, isSwiped ? ' The card is back on top.' : '');
  }
  if (session.get().status !== 'ended') refreshSoon(userId);
}
