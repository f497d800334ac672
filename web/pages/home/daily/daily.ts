import { changeText } from '#shared/listings/change-text.ts';
import type { DailyCard, DailyDeck } from '#shared/contract/daily-deck.ts';
import type { TicketFace } from '../../../components/ticket/ticket-card.tsx';
import type { Deck } from '../../../deck/deck.ts';
import { clockText, weekdayText } from '../../../lib/moment-text.ts';
import type { LastVote } from '../../../voting/last-vote.ts';

/** In the order of the ticket. */
const STATES = ['voted', 'skipped', 'gone', 'open'] as const;
type SpotState = (typeof STATES)[number];

/** Whether a card is voted on, skipped or gone, by the page's own knowledge, which is newer than the day's response. */
function spotState({ projectId, project, vote }: DailyCard, deck: Deck): SpotState {
  if (deck.queue.some(({ id }) => id === projectId)) return deck.skippedIds.has(projectId) ? 'skipped' : 'open';
  const isVoted = vote !== null || deck.votedIds.has(projectId) || deck.pending.some(({ id }) => id === projectId);
  if (isVoted) return 'voted';
  return project && !deck.loaded ? 'open' : 'gone';
}

/** Votes of this page by project, in their order: the day's response is older. */
export type Cast = ReadonlyMap<number, LastVote>;

export interface Spot {
  projectId: number;
  state: SpotState;
  face: TicketFace | null;
}

export interface DailyProgress {
  /** Filled from the left: votes in their order come first (R98). */
  spots: Spot[];
  done: number;
  isOver: boolean;
}

function toSpot(card: DailyCard, deck: Deck, cast: Cast): Spot {
  const { projectId, project, vote } = card;
  const state = spotState(card, deck);
  const own = cast.get(projectId);
  const name = card.name ?? own?.project.name ?? '';
  const imageUrl = card.imageUrl ?? (project ?? own?.project)?.imageUrl ?? null;
  const voteType = vote?.voteType ?? own?.voteType ?? null;
  return { projectId, state, face: state === 'voted' ? { name, imageUrl, voteType } : null };
}

export function dailyProgress({ cards }: Pick<DailyDeck, 'cards'>, deck: Deck, cast: Cast = new Map()): DailyProgress {
  // The response begins with its votes, in their order.
  const order = [
    ...cards.flatMap(({ projectId, vote }) => (vote ? projectId : [])),
    ...cast.keys(),
    ...cards.map(({ projectId }) => projectId),
  ];
  const spots = cards
    .map((card) => toSpot(card, deck, cast))
    .toSorted(
      (one, other) =>
        STATES.indexOf(one.state) - STATES.indexOf(other.state) ||
        order.indexOf(one.projectId) - order.indexOf(other.projectId),
    );
  const done = spots.filter(({ state }) => state !== 'open').length;
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
