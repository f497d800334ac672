import { expect, test } from 'vitest';
import { confidence } from '../numbers/interval.ts';
import { isSort, SORTS } from '../listings/sort-names.ts';
import { compareKeys, isEarly, rankAt, rankRows, SORT_KEYS, type Sortable, votesForRank } from './sorts.ts';
import { NO_TREND, type Trend, trendScore } from './trending.ts';

const project = (id: number, bullish: number, bearish: number, changes: Partial<Sortable> = {}): Sortable => ({
  id,
  createdAt: `2026-01-0${id}T00:00:00.000Z`,
  bullishVotes: bullish,
  bearishVotes: bearish,
  verified: { bullish: 0, bearish: 0 },
  trend: NO_TREND,
  ...changes,
});
const order = (sort: (typeof SORTS)[number], projects: Sortable[]): number[] =>
  projects.toSorted((one, other) => compareKeys(SORT_KEYS[sort](one), SORT_KEYS[sort](other))).map(({ id }) => id);
const projects = [project(5, 0, 0), project(4, 0, 0), project(3, 40, 10), project(2, 90, 10), project(1, 2, 0)];

test('sorts by bullish share, then total votes, then age; projects without votes last [R27]', () => {
  expect(order('bullish', projects)).toEqual([1, 2, 3, 4, 5]);
  expect(order('bullish', [project(1, 1, 1), project(2, 5, 5), project(3, 0, 4)])).toEqual([2, 1, 3]);
});

test('sorts by verified votes alone, then by share [R44]', () => {
  const verified = [
    project(1, 90, 10),
    project(2, 5, 5, { verified: { bullish: 5, bearish: 1 } }),
    project(3, 9, 0, { verified: { bullish: 9, bearish: 0 } }),
    project(4, 0, 1),
  ];
  expect(order('verified', verified)).toEqual([3, 2, 1, 4]);
});

test('sorts new projects first', () => {
  expect(order('new', projects)).toEqual([5, 4, 3, 2, 1]);
});

const trend = (bullish: number, bearish: number, weight: number): Trend => ({ bullish, bearish, weight });

test("trending weighs verified bullish votes by day, today's most; bearish votes lift nothing", () => {
  expect(trendScore(NO_TREND)).toBe(0);
  expect(trendScore(trend(0, 30, 210))).toBe(0);
  expect(trendScore(trend(4, 0, 28))).toBeGreaterThan(trendScore(trend(4, 0, 4)));
  expect(trendScore(trend(30, 2, 100))).toBeGreaterThan(trendScore(trend(16, 16, 100)));
  // The formula that /trust shows.
  expect(trendScore(trend(3, 1, 21))).toBeCloseTo(confidence(3, 1) * 2, 12);
  const one = project(1, 90, 0);
  expect(order('trending', [one, project(2, 1, 9, { trend: trend(3, 1, 21) }), project(3, 0, 0)])).toEqual([2, 1, 3]);
});

test('rejects unknown names of orders', () => {
  expect([...SORTS, 'best', '', null].filter((word) => isSort(word))).toEqual([...SORTS]);
});

/** The places of projects with these verified votes, in this order. */
function places(votes: readonly number[]): Array<[votes: number, rank: number | null]> {
  const { rows, ranked } = rankRows(votes, (one) => one);
  return rows.map((row, index) => [row, rankAt(index, { ranked })]);
}

test('ranks projects with ten verified votes; the others follow in the same order without a rank [R27]', () => {
  expect(places([9, 10, 0, 40, 3, 11])).toEqual([
    [10, 1],
    [40, 2],
    [11, 3],
    [9, null],
    [0, null],
    [3, null],
  ]);
});

test('ranks every project in its place while fewer than three have ten verified votes [R27]', () => {
  expect(places([9, 10, 0, 40])).toEqual([
    [9, 1],
    [10, 2],
    [0, 3],
    [40, 4],
  ]);
  expect(places([])).toEqual([]);
});

test('counts the verified votes since the last change of identity for a rank [R27 R60]', () => {
  const verified = { bullish: 30, bearish: 9 };
  expect(votesForRank({ verified })).toBe(39);
  expect(votesForRank({ verified, rankVotes: 2 })).toBe(2);
});

test('tells the ranks of a young site from others by their votes [R27]', () => {
  const row = (rank: number | null, bullish: number) => ({ rank, verified: { bullish, bearish: 0 } });
  expect(isEarly([row(1, 10), row(2, 9)])).toBe(true);
  expect(isEarly([row(1, 10), row(2, 11), row(null, 9)])).toBe(false);
  const both = [row(1, 12), row(2, 11)];
  expect([isEarly(both), isEarly(both, true), isEarly([row(null, 12)]), isEarly([])]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
