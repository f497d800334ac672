/**
 * The orders of the leaderboard. 'bullish' is that of S2.37 and R27; 'verified' ranks by the lower bound
 * of the 95 % Wilson interval of the verified votes (R44), 'new' by age, 'trending' by shared/figures/trending.ts.
 */
export const SORTS = ['bullish', 'verified', 'new', 'trending'] as const;
export type Sort = (typeof SORTS)[number];

/** Whether projects have ranks in an order: ages and the votes of a week give none (R27). */
export const hasRanks = (sort: Sort): boolean => sort !== 'new' && sort !== 'trending';

export const isSort = (text: string | null): text is Sort => (SORTS as readonly (string | null)[]).includes(text);

/** The order in an address: the first one where it names none, or one that does not exist. */
export const sortOf = (text: string | null): Sort => (isSort(text) ? text : SORTS[0]);
