import { expect, test } from 'vitest';
import type { EventDay } from '../contract/insights.ts';
import { dayFigures, totalsOf, viewsBySource, viewsOf } from './insights.ts';

const NO_VIEWS = { deck: 0, page: 0, badge: 0, embed: 0, link: 0 };
const views = (changes: Partial<EventDay['views']> = {}) => ({ ...NO_VIEWS, ...changes });
const votesOf = (day: string, votes: number, [verifiedBullish, verifiedBearish]: [number, number] | [] = []) => ({
  day,
  bullish: 3,
  bearish: 1,
  votes,
  turnedBullish: 0,
  turnedBearish: 0,
  verifiedBullish: verifiedBullish ?? null,
  verifiedBearish: verifiedBearish ?? null,
});
const insights = {
  since: '2026-02-27',
  today: '2026-03-02',
  before: { bullish: 0, bearish: 0, verifiedBullish: null, verifiedBearish: null },
  events: [
    { day: '2026-02-28', views: views({ deck: 4, link: 1 }), clicks: 2, shares: 1 },
    { day: '2026-03-02', views: views({ deck: 1, badge: 9 }), clicks: 0, shares: 0 },
  ],
  votes: [votesOf('2026-02-28', 4), votesOf('2026-03-01', 0, [2, 1])],
};

test('each day has a row, and counters stay unchanged on days without events [R50]', () => {
  const days = dayFigures(insights);
  expect(days.map((day) => [day.day, viewsOf(day), day.clicks, day.votes, day.bullish, day.verifiedBullish])).toEqual([
    ['2026-02-27', 0, 0, 0, 0, null],
    ['2026-02-28', 5, 2, 4, 3, null],
    ['2026-03-01', 0, 0, 0, 3, 2],
    ['2026-03-02', 10, 0, 0, 3, 2],
  ]);
});

test('a vote that replaces an earlier one adds no new voter, and days continue from the counters before them [R45 R50]', () => {
  const before = { bullish: 2, bearish: 1, verifiedBullish: 1, verifiedBearish: 1 };
  const days = dayFigures({ ...insights, before });
  expect(days.map((day) => [day.votes, day.newVotes, day.bullish, day.bearish, day.verifiedBullish])).toEqual([
    [0, 0, 2, 1, 1],
    [4, 1, 3, 1, null],
    [0, 0, 3, 1, 2],
    [0, 0, 3, 1, 2],
  ]);
});

test('a listing of today has one row, and a row of another day outside of the range changes nothing', () => {
  expect(dayFigures({ ...insights, since: '2026-03-02', events: [], votes: [] })).toHaveLength(1);
  const early = { ...insights.events[0], day: '2026-01-01', views: views({ page: 100 }), clicks: 100, shares: 100 };
  expect(totalsOf(dayFigures({ ...insights, events: [early] })).views).toBe(0);
});

test('totals add up, and sources are ordered by their views, without sources that have none [R50]', () => {
  const days = dayFigures(insights);
  expect(totalsOf(days)).toEqual({ views: 15, votes: 4, clicks: 2, shares: 1 });
  expect(viewsBySource(days)).toEqual([
    { source: 'badge', views: 9 },
    { source: 'deck', views: 5 },
    { source: 'link', views: 1 },
  ]);
  expect(viewsBySource([])).toEqual([]);
});
