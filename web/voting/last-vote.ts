import { UNDO_WINDOW_MS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { plural } from '#shared/plural.ts';
import { announce } from '../lib/announce.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { createStore } from '../lib/external-store.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { refreshSoon, showUndone } from './numbers.ts';
import { outcome } from './outcome.ts';
import type { NewVote, VoteResponse } from './send-vote.ts';
import type { VoteType } from './vote-type.ts';

export interface VoteResult {
  bullishCount: number;
  bearishCount: number;
}

export interface LastVote extends NewVote {
  id: number;
  lastTime: VoteType | null;
  /** The end of the undo by `performance.now()`: the server counts from a moment after the sending. */
  undoUntilMs: number;
  phase: 'open' | 'undoing' | 'final';
  /** Null until the undo is over and the result has been read (R59). */
  result: VoteResult | null;
  /** The result of the vote before, where this vote ended its undo: 'Coral: 31 of 42 others voted like you'. */
  before: string | null;
}

export const lastVote = createStore<LastVote | null>(null);
interface Reward {
  tokens: number;
  streak: number | null;
}
export const reward = createStore<({ id: number } & Reward) | null>(null);
export const congratulation = createStore<number | null>(null);

export const streakText = (days: number): string => `${days}-day streak`;

export function agreement(voteType: VoteType, { bullishCount, bearishCount }: VoteResult): string {
  const others = bullishCount + bearishCount - 1;
  if (others <= 0) return 'First vote on this project';
  const alike = (voteType === 'bullish' ? bullishCount : bearishCount) - 1;
  return `${Math.max(0, alike).toLocaleString()} of ${plural(others, 'other')} voted like you`;
}

function votedWords({ voteType, project, changes }: NewVote, tokens: number): string {
  if (changes === undefined) return `Voted ${voteType} on ${project.name}, +${tokens} Snaps`;
  if (changes === voteType) return `Confirmed your ${voteType} vote on ${project.name}`;
  return `Changed your vote on ${project.name} to ${voteType}`;
}

let ids = 0;
const nextId = (): number => (ids += 1);

const update = (id: number, changes: Partial<LastVote>): void => {
  const vote = lastVote.get();
  if (vote?.id === id) lastVote.set({ ...vote, ...changes });
};

type Counted = NewVote & Pick<LastVote, 'lastTime'> & Pick<Reward, 'streak'> & { startedAtMs: number };

export function noteVote(
  { streak, startedAtMs, ...vote }: Counted,
  response: Pick<VoteResponse, 'tokensEarned' | 'congratulation'>,
): void {
  const { tokensEarned: tokens } = response;
  const id = nextId();
  const before = lastVote.get();
  // No '+0' (R57).
  if (tokens > 0) reward.set({ id, tokens, streak });
  if (response.congratulation !== null) congratulation.set(response.congratulation);
  lastVote.set({ ...vote, id, undoUntilMs: startedAtMs + UNDO_WINDOW_MS, phase: 'open', result: null, before: null });
  const earned = tokens > 0 && streak !== null && streak > 1 ? ` ${streakText(streak)}.` : '';
  announce(`${votedWords(vote, tokens)}.${earned} Press Z to undo.`);
  if (before?.phase === 'open' && before.userId === vote.userId) void readResult(before);
}

async function readResult({ id, userId, project, voteType }: LastVote): Promise<void> {
  if (session.live().user?.id !== userId) return;
  try {
    const own = await api.showResult({ params: { projectId: project.id } });
    queryClient.setWritten(queries.ownVote(userId, project.id).queryKey, own);
    const { result } = own;
    const shown = lastVote.get();
    if (result === null || shown?.userId !== userId) return;
    const words = `${project.name}: ${agreement(voteType, result)}`;
    if (shown.id === id) {
      update(id, { result });
      announce(words);
    } else if (shown.result === null) {
      update(shown.id, { before: words });
    }
  } catch (error) {
    console.warn('The result of the vote could not be read', error);
  }
}

interface OwnVote {
  voteType: VoteType;
  undoableUntil: string | null;
}

/** Offers to take back a vote that was cast before this page was opened, a moment ago (R46). */
export function offerUndo(userId: number, project: Project, { voteType, undoableUntil }: OwnVote): boolean {
  const leftMs = undoableUntil === null ? 0 : Date.parse(undoableUntil) - serverNow();
  const present = lastVote.get();
  const isKnown = present !== null && (present.phase !== 'final' || present.project.id === project.id);
  if (leftMs <= 0 || isKnown) return false;
  const undoUntilMs = performance.now() + leftMs;
  const offered = { id: nextId(), userId, project, voteType, undoUntilMs };
  lastVote.set({ ...offered, lastTime: null, phase: 'open', result: null, before: null });
  return true;
}

export function endUndo(id: number): void {
  const vote = lastVote.get();
  if (vote?.id !== id || vote.phase !== 'open') return;
  update(id, { phase: 'final' });
  void readResult(vote);
}

export const canUndo = (vote: LastVote | null): vote is LastVote =>
  vote !== null && vote.phase === 'open' && performance.now() < vote.undoUntilMs;

export function undoLastVote(): boolean {
  const vote = lastVote.get();
  if (!canUndo(vote) || session.live().user?.id !== vote.userId) return false;
  update(vote.id, { phase: 'undoing' });
  void sendUndo(vote);
  return true;
}

/** Shows the vote as taken back until the server confirms it; the vote before, or that of an earlier period, counts again. */
function showTakenBack({ userId, project, changes }: LastVote): void {
  const { queryKey } = queries.ownVote(userId, project.id);
  if (changes === undefined)
    queryClient.setQueryData(
      queryKey,
      (known) => known && { ...known, vote: null, canVote: 'yes' as const, undoableUntil: null, result: null },
    );
  void queryClient.invalidateQueries({ queryKey });
}

async function sendUndo(vote: LastVote): Promise<void> {
  const { id, userId, project } = vote;
  const isOwn = () => session.get().user?.id === userId;
  try {
    const response = await api.undoVote({ params: { projectId: project.id } });
    if (!isOwn()) return;
    showUndone(vote, response);
    if (lastVote.get()?.id === id) lastVote.set(null);
    if (reward.get()?.id === id) reward.set(null);
    outcome.set({ vote, fate: { kind: 'undone' } });
    announce(`Took back your ${vote.changes === undefined ? 'vote' : 'change'} on ${project.name}`);
    showTakenBack(vote);
  } catch (error) {
    if (!isOwn()) return;
    // A lost call may be tried again while there is time; a rejection is final.
    update(id, { phase: error instanceof ApiError && error.status === 0 ? 'open' : 'final' });
    if (session.get().status === 'ended') return;
    const isLate = error instanceof ApiError && error.code === 'too_late';
    toast({
      title: isLate ? 'Too late to undo' : 'Undo failed',
      description: isLate ? 'Your vote stands.' : errorText(error, 'Your vote stands.'),
      variant: 'destructive',
    });
  }
  refreshSoon(userId);
}
