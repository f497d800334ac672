import type { EventDay, Insights } from '../contract/insights.ts';
import type { VoteCounts } from '../numbers/interval.ts';
import { EVENT_SOURCES, type EventSource } from '../listings/events.ts';

export interface DayFigures {
  day: string;
  views: Record<EventSource, number>;
  clicks: number;
  shares: number;
  votes: number;
  /** Votes whose voter never voted on the project before; the others renew a vote of an earlier listing period. */
  newVotes: number;
  bullish: number;
  bearish: number;
  verifiedBullish: number | null;
  verifiedBearish: number | null;
}

/** Days of 'Your month' (R96), and the listings from which on a category has medians. */
export const MONTH_DAYS = 30;
export const MEDIAN_MIN_LISTINGS = 5;

const DAY_MS = 86_400_000;
const nextDay = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

const NO_EVENTS: Omit<EventDay, 'day'> = {
  views: { deck: 0, page: 0, badge: 0, embed: 0, link: 0 },
  clicks: 0,
  shares: 0,
};

export function dayFigures({
  since,
  today,
  before,
  events,
  votes,
}: Pick<Insights, 'since' | 'today' | 'before' | 'events' | 'votes'>): DayFigures[] {
  const eventsOn = new Map(events.map(({ day, ...counts }) => [day, counts]));
  const votesOn = new Map(votes.map((row) => [row.day, row]));
  const days: DayFigures[] = [];
  let counters = before;
  for (let day = since; day <= today; day = nextDay(day)) {
    const changed = votesOn.get(day);
    const voters = counters.bullish + counters.bearish;
    if (changed) {
      const { bullish, bearish, verifiedBullish, verifiedBearish } = changed;
      counters = { bullish, bearish, verifiedBullish, verifiedBearish };
    }
    // A first vote adds a voter. A vote in a later listing period replaces the voter's earlier one, as a change does.
    const newVotes = counters.bullish + counters.bearish - voters;
    days.push({ day, ...(eventsOn.get(day) ?? NO_EVENTS), votes: changed?.votes ?? 0, newVotes, ...counters });
  }
  return days;
}

export const viewsOf = ({ views }: Pick<DayFigures, 'views'>): number =>
  EVENT_SOURCES.reduce((sum, source) => sum + views[source], 0);

export interface Totals {
  views: number;
  votes: number;
  clicks: number;
  shares: number;
}

export function totalsOf(days: readonly DayFigures[]): Totals {
  const totals: Totals = { views: 0, votes: 0, clicks: 0, shares: 0 };
  for (const day of days) {
    totals.views += viewsOf(day);
    totals.votes += day.votes;
    totals.clicks += day.clicks;
    totals.shares += day.shares;
  }
  return totals;
}

export function viewsBySource(days: readonly DayFigures[]): Array<{ source: EventSource; views: number }> {
  return EVENT_SOURCES.map((source) => ({ source, views: days.reduce((sum, { views }) => sum + views[source], 0) }))
    .filter(({ views }) => views > 0)
    .toSorted((a, b) => b.views - a.views);
}

export interface ShareMove {
  change: Insights['changes'][number];
  before: VoteCounts;
  after: VoteCounts;
}

/** How the share moved after each change of identity, the newest first; changes before the first day are left out. */
export function shareMoves(days: readonly DayFigures[], changes: Insights['changes']): ShareMove[] {
  const votesBefore = (at: string): VoteCounts | undefined => {
    const index = days.findIndex(({ day }) => day === at.slice(0, 10));
    return index < 1 ? undefined : days[index - 1];
  };
  return changes
    .flatMap((change, index) => {
      const before = votesBefore(change.at);
      const next = changes[index + 1];
      const after = next ? votesBefore(next.at) : days.at(-1);
      return before && after && before.bullish + before.bearish > 0 ? [{ change, before, after }] : [];
    })
    .toReversed();
}
