import { createStore } from '../lib/external-store.ts';
import type { NewVote, VoteResult } from './send-vote.ts';

/**
 * A vote of this page from the press to its end. Every end is an outcome; the deck follows them. Its undo: last-vote.ts.
 *
 *     cast ──▶ sent ──▶ counted ──▶ undone     the card is dealt again
 *               ├──▶ rejected                  can never count: the card is removed
 *               ├──▶ lost                      no answer came: the card is back on top with Retry (lost-votes.ts)
 *               ├──▶ returned, retry, no_session  the card is back on top
 *               └──▶ renamed                   the project is dealt again with its new name
 *
 * counted_before: the vote counts without this page having seen the response, so nothing is celebrated twice.
 */
export interface Outcome {
  vote: NewVote;
  fate: VoteResult | { kind: 'counted_before' } | { kind: 'undone' };
}

export const outcome = createStore<Outcome | null>(null);

export const isCounted = ({ kind }: Outcome['fate']): boolean => kind === 'counted' || kind === 'counted_before';
