import { isolated } from '#shared/text/isolated.ts';
import type { Project } from '#shared/contract/types.ts';
import { announce } from '../lib/announce.ts';
import { api } from '../lib/api.ts';
import { createStore } from '../lib/external-store.ts';
import { queries, queryClient } from '../lib/queries.ts';
import { session } from '../lib/session.ts';
import type { NewVote } from './send-vote.ts';
import type { VoteType } from './vote-type.ts';

export interface VoteResult {
  bullishCount: number;
  bearishCount: number;
  /** When the vote counts among the verified ones (R38). */
  when?: string | undefined;
}

/**
 * The newest vote, from its press on (R59): the five seconds of its undo begin before the server has answered.
 *
 *     open ──▶ undoing ──▶ gone        DELETE is sent when the vote's answer is here; a rejection is final, a lost one may be open again
 *      └─────▶ reading ──▶ final       the undo is over: by time, by 'Show result', by a later vote that counts
 *
 * A vote that does not count is gone, and the one before is the newest again, with what is left of its time.
 */
export interface LastVote extends NewVote {
  id: number;
  lastTime: VoteType | null;
  /** The end of the undo by `performance.now()`. */
  undoUntilMs: number;
  phase: 'open' | 'undoing' | 'reading' | 'final';
  /** False until the server's answer to the vote is here. */
  isCounted: boolean;
  /** Null until it has been read, or where it cannot be read. */
  result: VoteResult | null;
  before: LastVote | null;
  /** The three votes on which it lands, the newest last. */
  pile: readonly VoteType[];
}

export const lastVote = createStore<LastVote | null>(null);

/** The figure of a result, and what follows it where it is read out and where it is large. */
export function agreementParts(
  voteType: VoteType,
  { bullishCount, bearishCount }: VoteResult,
): [figure: string, said: string, shown: string] {
  const others = bullishCount + bearishCount - 1;
  if (others <= 0) return ['First vote', 'on this project', 'on this project'];
  const alike = (voteType === 'bullish' ? bullishCount : bearishCount) - 1;
  const figure = `${Math.max(0, alike).toLocaleString()} of ${others.toLocaleString()}`;
  return [figure, `${others === 1 ? 'other' : 'others'} voted like you`, 'with you'];
}

export function agreement(voteType: VoteType, result: VoteResult): string {
  const [figure, said] = agreementParts(voteType, result);
  return `${figure} ${said}`;
}

let ids = 0;
export const nextId = (): number => (ids += 1);

function changed(vote: LastVote | null, id: number, changes: Partial<LastVote>): LastVote | null {
  if (vote === null) return null;
  if (vote.id === id) return { ...vote, ...changes };
  const before = changed(vote.before, id, changes);
  return before === vote.before ? vote : { ...vote, before };
}
export const update = (id: number, changes: Partial<LastVote>): void =>
  lastVote.set(changed(lastVote.get(), id, changes));

export function find(id: number): LastVote | null {
  const vote = lastVote.get();
  return [vote, vote?.before].find((one) => one?.id === id) ?? null;
}

/** Ends the undo. The result of a vote without an answer is read when that is here. */
export function readResult(id: number): void {
  const vote = find(id);
  if (!vote) return;
  update(id, { phase: 'reading' });
  if (vote.isCounted) void read(vote);
}

async function read({ id, userId, project, voteType }: LastVote): Promise<void> {
  let result: VoteResult | null = null;
  try {
    if (session.live().user?.id !== userId) return;
    const own = await api.showResult({ params: { projectId: project.id } });
    queryClient.setWritten(queries.ownVote(userId, project.id).queryKey, own);
    result = own.result && { ...own.result, when: own.vote?.when };
  } catch (error) {
    console.warn('The result of the vote could not be read', error);
  } finally {
    update(id, { phase: 'final', result });
  }
  if (result !== null && lastVote.get()?.id === id)
    announce(`${isolated(project.name)}: ${agreement(voteType, result)}${result.when ? `. ${result.when}` : ''}`);
}

export function endUndo(id: number): void {
  if (find(id)?.phase === 'open') readResult(id);
}

interface OwnVote {
  voteType: VoteType;
  /** Time that is left to undo it; none where only its result is still hidden. */
  leftMs: number;
}

/** Offers to take back a vote that was cast before this page was opened, a moment ago (R46), or shows its result. */
export function offerUndo(userId: number, project: Project, { voteType, leftMs }: OwnVote): boolean {
  const present = lastVote.get();
  if (present !== null && (present.phase !== 'final' || present.project.id === project.id)) return false;
  const id = nextId();
  const undoUntilMs = performance.now() + leftMs;
  const offered = { id, userId, project, voteType, undoUntilMs, lastTime: null, isCounted: true };
  lastVote.set({ ...offered, phase: 'open', result: null, before: null, pile: [] });
  if (leftMs <= 0) endUndo(id);
  return true;
}

export const isUndoShown = ({ phase }: LastVote): boolean => phase === 'open' || phase === 'undoing';

export const canUndo = (vote: LastVote | null): vote is LastVote =>
  vote !== null && vote.phase === 'open' && performance.now() < vote.undoUntilMs;
