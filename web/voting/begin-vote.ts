import { isolated } from '#shared/text/isolated.ts';
import { UNDO_WINDOW_MS } from '#shared/constants.ts';
import { announce } from '../lib/announce.ts';
import { session } from '../lib/session.ts';
import { endUndo, find, lastVote, type LastVote, nextId, readResult, update } from './last-vote.ts';
import { congratulation, reward, streakText } from './reward.ts';
import type { NewVote, VoteResponse } from './send-vote.ts';
import { endWish, sendUndo, wishFor } from './undo.ts';

/** The landed card appears some frames after the press on a slow phone, and stays for five whole seconds. */
const FRAMES_MS = 100;

/** Edges of earlier cards that are seen under the newest. */
const PILE = 3;

/** A vote whose answer takes longer is announced before it, too. */
const LATE_ANSWER_MS = 700;

function votedWords({ voteType, project, changes }: NewVote, tokens: number): string {
  if (changes === undefined)
    return `Voted ${voteType} on ${isolated(project.name)}${tokens > 0 ? `, +${tokens} Snaps` : ''}`;
  if (changes === voteType) return `Confirmed your ${voteType} vote on ${isolated(project.name)}`;
  return `Changed your vote on ${isolated(project.name)} to ${voteType}`;
}

/** Offers the undo of a vote that is being sent. Returns its number, for its end. */
export function beginVote(vote: NewVote & Pick<LastVote, 'lastTime'>): number {
  const id = nextId();
  const present = lastVote.get();
  const before = present?.userId === vote.userId ? { ...present, before: null } : null;
  const undoUntilMs = performance.now() + UNDO_WINDOW_MS + FRAMES_MS;
  const pile = before ? [...before.pile, before.voteType].slice(-PILE) : [];
  lastVote.set({ ...vote, id, undoUntilMs, phase: 'open', isCounted: false, result: null, before, pile });
  setTimeout(() => {
    const late = find(id);
    if (late?.phase === 'open' && !late.isCounted) announce(`${votedWords(vote, 0)}. Press Z to undo.`);
  }, LATE_ANSWER_MS);
  return id;
}

/** The vote does not count, or it waits. */
export function dropVote(id: number): void {
  endWish(id);
  const vote = lastVote.get();
  if (vote?.id === id) lastVote.set(vote.before);
  else if (vote?.before?.id === id) lastVote.set({ ...vote, before: null });
}

type Rewarded = Pick<VoteResponse, 'tokensEarned' | 'congratulation'>;

function celebrate(id: number, vote: NewVote, streak: number | null, response: Rewarded): void {
  const { tokensEarned: tokens } = response;
  // No '+0' (R57).
  if (tokens > 0) reward.set({ id, tokens, streak });
  if (response.congratulation !== null) congratulation.set(response.congratulation);
  const earned = tokens > 0 && streak !== null && streak > 1 ? ` ${streakText(streak)}.` : '';
  const newest = lastVote.get();
  const offer = newest?.id === id && newest.phase === 'open' ? ' Press Z to undo.' : '';
  announce(`${votedWords(vote, tokens)}.${earned}${offer}`);
}

/** The vote counts: a wish to undo it is sent now, and its result is read where its undo is over. */
export async function noteCounted(id: number, vote: NewVote, streak: number | null, response: Rewarded): Promise<void> {
  update(id, { isCounted: true });
  const shown = find(id);
  if (shown?.before) endUndo(shown.before.id);
  const wish = wishFor(id);
  if (wish && (await sendUndo(wish))) return;
  if (session.get().user?.id !== vote.userId) return;
  celebrate(id, vote, streak, response);
  if (!wish && shown?.phase === 'reading') readResult(id);
}
