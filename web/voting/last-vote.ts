import { UNDO_WINDOW_MS } from '#shared/constants.ts';
import type { Project } from '#shared/contract/types.ts';
import { plural } from '#shared/plural.ts';
import { bullishPercentage } from '#shared/rules.ts';
import { announce } from '../lib/announce.ts';
import { ApiError, errorText } from '../lib/api-error.ts';
import { api } from '../lib/api.ts';
import { createStore } from '../lib/external-store.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { serverNow } from '../lib/server-clock.ts';
import { session } from '../lib/session.ts';
import { toast } from '../lib/toast.ts';
import { refreshSoon, showUndone } from './numbers.ts';
import type { VoteType } from './vote-type.ts';

export interface VoteResult {
  bullishCount: number;
  bearishCount: number;
}

/** The newest vote that counts, as long as the page shows something of it. */
export interface LastVote {
  id: number;
  userId: number;
  project: Project;
  voteType: VoteType;
  /** What the same user said in an earlier listing period. */
  lastTime: VoteType | null;
  /** The end of the undo by `performance.now()`: the server counts from a moment after the sending. */
  undoUntilMs: number;
  phase: 'open' | 'undoing' | 'final';
  /** Null until it has been read. */
  result: VoteResult | null;
}

export const lastVote = createStore<LastVote | null>(null);
/** A vote that was taken back; `id` tells one from the next. */
export const undoneVote = createStore<LastVote | null>(null);
/** The newest reward to celebrate; `id` distinguishes two equal ones. */
export const reward = createStore<{ id: number; tokens: number } | null>(null);
/** Tokens of the congratulation that waits to be seen (S2.17, R10). */
export const congratulation = createStore<number | null>(null);

/** '86 % agree with you · 43 votes' (R47). */
export function agreement(voteType: VoteType, { bullishCount, bearishCount }: VoteResult): string {
  const total = bullishCount + bearishCount;
  if (total <= 1) return 'You are the first to vote';
  const bullish = bullishPercentage(bullishCount, bearishCount);
  const agreeing = voteType === 'bullish' ? bullish : bullishPercentage(bearishCount, bullishCount);
  return `${agreeing} % agree with you · ${plural(total, 'vote')}`;
}

let ids = 0;
const nextId = (): number => (ids += 1);

const changeVote = (id: number, changes: Partial<LastVote>): void => {
  const vote = lastVote.get();
  if (vote?.id === id) lastVote.set({ ...vote, ...changes });
};

type Counted = Pick<LastVote, 'userId' | 'project' | 'voteType' | 'lastTime'> & { tokens: number; startedAtMs: number };

/** Celebrates a vote that the server has counted, offers to take it back, and reads its result. */
export function noteVote({ tokens, startedAtMs, ...vote }: Counted): void {
  const id = nextId();
  reward.set({ id, tokens });
  lastVote.set({ ...vote, id, undoUntilMs: startedAtMs + UNDO_WINDOW_MS, phase: 'open', result: null });
  const words = `Voted ${vote.voteType} on ${vote.project.name}, +${tokens} Snaps`;
  announce(words);
  void readResult(id, vote.userId, vote.project.id, words);
}

/** Without it the page still says what the vote was. */
async function readResult(id: number, userId: number, projectId: number, words: string): Promise<void> {
  try {
    const { result } = await queryClient.fetchQuery({ ...queries.ownVote(userId, projectId), staleTime: 0 });
    const vote = lastVote.get();
    if (vote?.id !== id || !result) return;
    changeVote(id, { result });
    // Takes the place of what was announced a moment ago, which may not have been read out yet.
    announce(`${words}. ${agreement(vote.voteType, result)}. Z takes the vote back.`);
  } catch (error) {
    console.warn('The result of the vote could not be read', error);
  }
}

interface OwnVote {
  voteType: VoteType;
  undoableUntil: string | null;
  result: VoteResult | null;
}

/** Offers to take back a vote that was cast before this page was opened, a moment ago (R46). */
export function offerUndo(userId: number, project: Project, { voteType, undoableUntil, result }: OwnVote): void {
  const leftMs = undoableUntil === null ? 0 : Date.parse(undoableUntil) - serverNow();
  const present = lastVote.get();
  const isKnown = present !== null && (present.phase !== 'final' || present.project.id === project.id);
  if (leftMs <= 0 || isKnown) return;
  const undoUntilMs = performance.now() + leftMs;
  lastVote.set({ id: nextId(), userId, project, voteType, lastTime: null, undoUntilMs, phase: 'open', result });
}

/** The time for an undo is over, and what the page shows of the vote goes. */
export function endUndo(id: number): void {
  if (lastVote.get()?.id === id && lastVote.get()?.phase === 'open') changeVote(id, { phase: 'final' });
}

export const canUndo = (vote: LastVote | null): vote is LastVote =>
  vote !== null && vote.phase === 'open' && performance.now() < vote.undoUntilMs;

/** Takes the newest vote back (R46). Returns false where there is none, or it is too late. */
export function undoLastVote(): boolean {
  const vote = lastVote.get();
  if (!canUndo(vote) || session.live().user?.id !== vote.userId) return false;
  changeVote(vote.id, { phase: 'undoing' });
  void sendUndo(vote);
  return true;
}

/** Until the server says so; what was voted in an earlier period counts again. */
function showNotVoted(userId: number, projectId: number): void {
  const { queryKey } = queries.ownVote(userId, projectId);
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
    showUndone(userId, project, response);
    if (lastVote.get()?.id === id) lastVote.set(null);
    if (reward.get()?.id === id) reward.set(null);
    undoneVote.set(vote);
    announce(`Took back your vote on ${project.name}`);
    showNotVoted(userId, project.id);
  } catch (error) {
    if (!isOwn()) return;
    // A lost call may be tried again while there is time; a rejection is final.
    changeVote(id, { phase: error instanceof ApiError && error.status === 0 ? 'open' : 'final' });
    if (session.get().status === 'ended') return;
    toast({
      title: 'Undo Failed',
      description: errorText(error, 'The vote could not be taken back'),
      variant: 'destructive',
    });
  }
  refreshSoon(userId);
}
