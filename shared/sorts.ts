import type { LeaderboardRow } from './contract/projects.ts';
import { confidence, type VoteCounts } from './interval.ts';

/**
 * 'bullish' is the order of the server (R27); 'confidence' ranks by the lower bound of the 95 % Wilson interval, 'verified' by that of
 * the verified votes alone (R44).
 */
export const SORTS = ['bullish', 'confidence', 'verified'] as const;
export type Sort = (typeof SORTS)[number];

export const isSort = (text: string | null): text is Sort => (SORTS as readonly (string | null)[]).includes(text);

export interface RankedRow {
  /** Place in the order that is shown. */
  rank: number;
  project: LeaderboardRow;
}

/** Lower bound of the interval of the verified votes, 0..1. */
export const verifiedBound = ({ bullish, bearish }: VoteCounts): number => confidence(bullish, bearish);

const BOUNDS: Record<Exclude<Sort, 'bullish'>, (row: LeaderboardRow) => number> = {
  confidence: (row) => row.confidence,
  verified: (row) => verifiedBound(row.verified),
};

/** Rows in an order; equal bounds keep the server's order. The rows are not copied, so that memoised parts stay. */
export function rankRows(rows: readonly LeaderboardRow[], sort: Sort): RankedRow[] {
  if (sort === 'bullish') return rows.map((project, index) => ({ rank: index + 1, project }));
  const bounded = rows.map((project) => ({ project, bound: BOUNDS[sort](project) }));
  bounded.sort((a, b) => b.bound - a.bound || a.project.rank - b.project.rank);
  return bounded.map(({ project }, index) => ({ rank: index + 1, project }));
}
