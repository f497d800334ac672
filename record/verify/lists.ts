import type { ListedProject } from '#shared/contract/projects.ts';
import type { Sort } from '#shared/sort-names.ts';
import { compareKeys, rankAt, rankedBy, SORT_KEYS } from '#shared/sorts.ts';
import { NO_TREND, type Trend, TREND_DAYS } from '#shared/trending.ts';
import { between, type Figure, type Place } from './compare.ts';
import type { Known, Line, Shown } from './shown.ts';

const listsOf = (site: Shown): Array<readonly [sort: Sort, rows: ListedProject[]]> => [
  ['bullish', site.open()],
  ...site.sorted(),
];

const eachRow = (site: Shown, places: (sort: Sort, rows: ListedProject[]) => Place[]): Place[] =>
  listsOf(site).flatMap(([sort, rows]) => places(sort, rows));

/** At least so much is left of a trend without so many of its bullish votes. */
const excludedFrom = ({ bullish, bearish, weight }: Trend, votes: number): Trend => ({
  bullish: Math.max(0, bullish - votes),
  bearish,
  weight: Math.max(0, weight - TREND_DAYS * votes),
});

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
    // Votes since a change of identity may rank alone (R60).
    places: (site, { projects, record }) =>
      eachRow(site, (sort, rows) =>
        rows.map(({ id, trend, excludedSince = 0 }) => {
          const recorded = projects.get(id)?.trend ?? NO_TREND;
          const hasChanged = record.listings.get(id)?.versions.some(({ identity }) => identity > 1);
          const { bullish, bearish, weight } = recorded;
          const least = hasChanged ? NO_TREND : excludedFrom(recorded, excludedSince);
          const most = {
            bullish: between(least.bullish, bullish),
            bearish: between(least.bearish, bearish),
            weight: between(least.weight, weight),
          };
          return [`project ${id} in the list by '${sort}'`, trend, most];
        }),
      ),
  },
];
