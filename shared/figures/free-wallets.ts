import { fewest } from './cost-to-change.ts';
import type { Sort } from '../listings/sort-names.ts';
import { compareKeys, SORT_KEYS, type Sortable, verifiedBound } from './sorts.ts';

/**
 * The fewest wallets without SUI with which the last of these projects comes first in an order, each voting bullish on it
 * and bearish on the others; null if no number does (R27). The rows are those with a rank: free wallets give none.
 */
export function freeWalletsToTop(
  ranked: readonly Sortable[],
  sort: Extract<Sort, 'bullish' | 'verified'>,
): number | null {
  const own = ranked.at(-1);
  if (!own) return 0;
  const above = ranked.slice(0, -1);
  if (sort === 'verified' && above.some((row) => verifiedBound(row) > verifiedBound(own))) return null;
  const keyOf = SORT_KEYS[sort];
  const isAbove = (row: Sortable, wallets: number): boolean =>
    compareKeys(
      keyOf({ ...row, bearishVotes: row.bearishVotes + wallets }),
      keyOf({ ...own, bullishVotes: own.bullishVotes + wallets }),
    ) < 0;
  return above.reduce(
    (enough, row) => (isAbove(row, enough) ? fewest(enough, (more) => !isAbove(row, more)) : enough),
    0,
  );
}
