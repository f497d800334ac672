import type { ListedProject } from '#shared/contract/projects.ts';
import type { Sort } from '#shared/listings/sort-names.ts';
import { compareKeys, rankAt, rankedBy, SORT_KEYS } from '#shared/figures/sorts.ts';
import { isYoung } from '#shared/listings/identity.ts';
import { type Trend, TREND_DAYS, trendScore } from '#shared/figures/trending.ts';
import { between, type Figure, type Place } from './compare.ts';
import { type Known, type Line, type Shown, since } from './shown.ts';
import { changesOf, type Listed, listings } from './versions.ts';

const listsOf = (site: Shown): Array<readonly [sort: Sort, rows: ListedProject[]]> => [
  ['bullish', site.open()],
  ...site.sorted(),
];

const eachRow = (site: Shown, places: (sort: Sort, rows: ListedProject[]) => Place[]): Place[] =>
  listsOf(site).flatMap(([sort, rows]) => places(sort, rows));

/** The trend, less bullish votes that may have been excluded since. */
const trendWithout = ({ bullish, bearish, weight }: Trend, votes: number) => ({
  bullish: between(bullish - votes, bullish),
  bearish,
  weight: between(weight - TREND_DAYS * votes, weight),
});

/** The trend of all verified votes, or of those since a change that most of them are older than, where it ranks lower (R60). */
function trendOf(known: Known, listed: Listed): Trend {
  const { id } = listed.page;
  const { verified, trend } = since(known, id, 1);
  return changesOf(known, listed).reduce((lowest, change) => {
    const { trend: later } = since(known, id, change.identity);
    return isYoung(verified, change) && trendScore(later) < trendScore(lowest) ? later : lowest;
  }, trend);
}

/** The lists of projects in each order, by the rules of shared/figures/sorts.ts. */
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
    places: (site, known) => {
      const trends = new Map(listings(site, known).map((listed) => [listed.page.id, trendOf(known, listed)]));
      return eachRow(site, (sort, rows) =>
        rows.map(({ id, trend, excludedSince = 0 }) => {
          const recorded = trends.get(id);
          const left = recorded && trendWithout(recorded, excludedSince);
          return [`project ${id} in the list by '${sort}'`, trend, left];
        }),
      );
    },
  },
];
