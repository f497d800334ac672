import { wilsonInterval } from '../numbers/interval.ts';

/** Verified votes of the last seven closed days; `weight` counts one of the last as 7, one of the day before as 6, and so on down to 1. */
export interface Trend {
  bullish: number;
  bearish: number;
  weight: number;
}

export const TREND_DAYS = 7;
/** Weight of a vote by the age of its direction, in UTC days before the last closed day; 0 for older ones. */
export const trendWeight = (daysAgo: number): number => Math.max(0, TREND_DAYS - daysAgo);
export const NO_TREND: Trend = { bullish: 0, bearish: 0, weight: 0 };

/**
 * The figure that 'Trending' ranks by: the lower bound of the 95% interval of the bullish share of these votes, times
 * the binary logarithm of one more than their weight in votes of the last day. Approval counts as much as attention: a crowd
 * that votes bearish lifts nothing.
 */
export function trendScore(trend: Trend): number {
  return wilsonInterval(trend).low * Math.log2(1 + trend.weight / TREND_DAYS);
}
