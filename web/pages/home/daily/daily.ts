import { changeText } from '#shared/listings/change-text.ts';
import type { DailyCard, DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Deck } from '../../../deck/deck.ts';
import { clockText, weekdayText } from '../../../lib/moment-text.ts';

export type SpotState = 'open' | 'voted' | 'skipped' | 'gone';

/** Whether a card is voted on, skipped or gone, by the page's own knowledge, which is newer than the day's response. */
function spotState({ projectId, project, vote }: DailyCard, deck: Deck): SpotState {
  if (deck.queue.some(({ id }) => id === projectId)) return deck.skippedIds.has(projectId) ? 'skipped' : 'open';
  const isVoted = vote !== null || deck.votedIds.has(projectId) || deck.pending.some(({ id }) => id === projectId);
  if (isVoted) return 'voted';
  return project && !deck.loaded ? 'open' : 'gone';
}

export interface DailyProgress {
  spots: SpotState[];
  done: number;
  isOver: boolean;
}

export function dailyProgress({ cards }: Pick<DailyDeck, 'cards'>, deck: Deck): DailyProgress {
  const spots = cards.map((card) => spotState(card, deck));
  const done = spots.filter((state) => state !== 'open').length;
  const isPending = cards.some(({ projectId }) => deck.pending.some(({ id }) => id === projectId));
  return { spots, done, isOver: cards.length > 0 && done === cards.length && !isPending };
}

export const DAY_MS = 86_400_000;

/** When a streak ends, in the reader's own time: its days are those of UTC, `day` is today. Null without a streak. */
export function streakLine(day: string, streak: number, hasVotedToday: boolean): string | null {
  if (streak === 0) return null;
  const dayEndsAt = (days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString();
  return `Streak: vote again before ${hasVotedToday ? weekdayText(dayEndsAt(2)) : clockText(dayEndsAt(1))}`;
}

export interface DailySummary {
  bullish: number;
  bearish: number;
}

export function summarize({ cards }: Pick<DailyDeck, 'cards'>): DailySummary {
  const votes = cards.flatMap(({ vote }) => vote ?? []);
  const bullish = votes.filter(({ voteType }) => voteType === 'bullish').length;
  return { bullish, bearish: votes.length - bullish };
}

export function changedSince(daily: DailyDeck | undefined, projectId: number): string | undefined {
  const changed = daily?.cards.find((one) => one.projectId === projectId)?.changed;
  return changed && `Since your vote, ${changeText(changed)}`;
}

export type CardLabel = 'Still bullish?' | 'New' | undefined;

/** A card's text about its reason. A result near a tie says nothing: it would be half a result (R47). */
export function cardLabel(daily: DailyDeck | undefined, projectId: number): CardLabel {
  if (!daily) return undefined;
  if (daily.earlierVotes.some((vote) => vote.projectId === projectId)) return 'Still bullish?';
  const card = daily.cards.find((one) => one.projectId === projectId);
  if (card?.asksAbout) return 'Still bullish?';
  return card?.kind === 'new' ? 'New' : undefined;
}
