import type { ListedProject } from '#shared/contract/projects.ts';
import type { VoteCounts } from '#shared/interval.ts';
import type { Sort } from '#shared/sort-names.ts';
import { compareKeys, rankAt, rankedBy, SORT_KEYS } from '#shared/sorts.ts';
import { trendWeight } from '#shared/trending.ts';
import { daysBetween } from '../entries/days.ts';
import { between, type Figure, fits, type Place } from './compare.ts';
import { countedDays, type Known, type Line, type ProjectFigures, type Shown, sumOf } from './shown.ts';

const listsOf = (site: Shown): Array<readonly [sort: Sort, rows: ListedProject[]]> => [
  ['bullish', site.open()],
  ...site.sorted(),
];

const eachRow = (site: Shown, places: (sort: Sort, rows: ListedProject[]) => Place[]): Place[] =>
  listsOf(site).flatMap(([sort, rows]) => places(sort, rows));

/** The sum of the `count` greatest or smallest weights, of which there are so many of each, in this order. */
function sumOfFirst(count: number, weights: ReadonlyArray<readonly [weight: number, votes: number]>): number {
  let [left, sum] = [count, 0];
  for (const [weight, votes] of weights) {
    const taken = Math.min(left, votes);
    sum += taken * weight;
    left -= taken;
  }
  return sum;
}

/**
 * Figures of 'Trending' that a site can show: which votes are verified may have changed since the record's end, but all
 * of them are votes of the record, or newer ones.
 */
function trendBetween(
  shown: VoteCounts,
  turned: ProjectFigures['turned'],
  { day, newer }: { day: string; newer: number },
) {
  const most = { bullish: newer, bearish: newer };
  const recent = turned.flatMap(({ day: on, bullish, bearish }) => {
    const weight = on > day ? 0 : trendWeight(daysBetween(on, day));
    return weight === 0 ? [] : [{ weight, bullish, bearish }];
  });
  for (const { bullish, bearish } of recent) {
    most.bullish += bullish;
    most.bearish += bearish;
  }
  const heaviest = recent.map((one) => [one.weight, sumOf(one)] as const).toSorted(([one], [other]) => other - one);
  const count = sumOf(shown);
  return {
    bullish: between(0, most.bullish),
    bearish: between(0, most.bearish),
    weight: between(
      sumOfFirst(count, [[1, newer], ...heaviest.toReversed()]),
      sumOfFirst(count, [[trendWeight(0), newer], ...heaviest]),
    ),
  };
}

/** The lists of projects in each order, by the rules of shared/sorts.ts. */
export const LISTS: ReadonlyArray<Figure<Shown, Known, Line>> = [
  {
    line: 'Orders',
    figure: 'project',
    places: (site) =>
      eachRow(site, (sort, rows) => {
        const keyOf = SORT_KEYS[sort];
        const inOrder = rows.toSorted((one, other) => compareKeys(keyOf(one), keyOf(other)));
        const order = rankedBy(sort, inOrder);
        return rows.map(({ id, rank }, at) => [
          `place ${at + 1} of the list by '${sort}'`,
          { id, rank },
          { id: order.rows[at]?.id, rank: rankAt(at, order) },
        ]);
      }),
  },
  {
    line: 'Orders',
    figure: 'is listed',
    places: (site) =>
      eachRow(site, (sort, rows) => {
        const listed = new Set(rows.map(({ id }) => id));
        return site.leaderboard().map(({ id }) => [`project ${id} in the list by '${sort}'`, listed.has(id), true]);
      }),
  },
  {
    line: 'Trending',
    figure: 'votes of the last 7 days',
    places: (site, { projects, newer, asOf }) =>
      eachRow(site, (sort, rows) =>
        rows.map(({ id, trend }) => {
          const turned = projects.get(id)?.turned ?? [];
          const expected = countedDays(asOf).map((day) => trendBetween(trend, turned, { day, newer }));
          return [
            `project ${id} in the list by '${sort}'`,
            trend,
            expected.find((one) => fits(trend, one)) ?? expected[0],
          ];
        }),
      ),
  },
];
