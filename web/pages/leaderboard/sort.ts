import type { LeaderboardRow } from '#shared/contract/projects.ts';

/** 'bullish' is the order of the server (R27); 'confidence' ranks by the lower bound of the 95 % Wilson interval. */
export type Sort = 'bullish' | 'confidence';

export const isSort = (text: string | null): text is Sort => text === 'bullish' || text === 'confidence';

export interface RankedRow {
  /** Place in the order that is shown. */
  rank: number;
  project: LeaderboardRow;
}

/** Rows in an order; equal confidence keeps the server's order. The rows are not copied, so that memoised parts stay. */
export function rankRows(rows: readonly LeaderboardRow[], sort: Sort): RankedRow[] {
  const sorted = sort === 'bullish' ? rows : rows.toSorted((a, b) => b.confidence - a.confidence || a.rank - b.rank);
  return sorted.map((project, index) => ({ rank: index + 1, project }));
}
