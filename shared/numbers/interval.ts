import { numberText } from './number-text.ts';
import { plural } from './plural.ts';
import { bullishPercentage } from '../rules.ts';

/** Certainty of a share of votes. Pure, so that the page, the server and a reader of the record compute the same. */

export interface VoteCounts {
  bullish: number;
  bearish: number;
}

export interface Interval {
  low: number;
  high: number;
}

/** Quantile of the normal distribution: 95 % are within this many standard deviations. */
const Z = 1.959963984540054;

/** The 95% Wilson interval of the bullish share, 0..1 (R44); without votes every share is possible. */
export function wilsonInterval({ bullish, bearish }: VoteCounts): Interval {
  const n = bullish + bearish;
  if (n === 0) return { low: 0, high: 1 };
  const p = bullish / n;
  const middle = p + (Z * Z) / (2 * n);
  const margin = Z * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  const scale = 1 + (Z * Z) / n;
  // Rounding would miss that the bound is 0 or 1 if one side has no votes.
  return {
    low: bullish === 0 ? 0 : (middle - margin) / scale,
    high: bearish === 0 ? 1 : (middle + margin) / scale,
  };
}

/** Lower bound of the interval, 0..1, by which 'Verified' ranks (R44). */
export const confidence = (bullish: number, bearish: number): number => wilsonInterval({ bullish, bearish }).low;

const percent = (share: number): number => Math.round(share * 100);

/** '55–79%': the likely share of all voters, if these votes were a sample of them; '' without votes. */
export function intervalText(counts: VoteCounts): string {
  if (counts.bullish + counts.bearish === 0) return '';
  const { low, high } = wilsonInterval(counts);
  return `${percent(low)}–${percent(high)}%`;
}

/** 'Now' is the share of the opinions given, changed or confirmed in this many UTC days, where there are enough of them (R58). */
export const NOW_DAYS = 30;
export const NOW_MIN_VOTES = 10;

const totalOf = ({ bullish, bearish }: VoteCounts): number => bullish + bearish;
const shareOf = ({ bullish, bearish }: VoteCounts): string => `${bullishPercentage(bullish, bearish)}%`;

/** 'last 30 days: 18%'; null unless a tenth of the votes is older: nearly the same votes say nothing new. */
export function nowBrief(all: VoteCounts, now: VoteCounts | null | undefined): string | null {
  if (!now || 10 * totalOf(now) > 9 * totalOf(all)) return null;
  return `last ${NOW_DAYS} days: ${shareOf(now)}`;
}

/** 'last 30 days: 18% of 11' */
export function nowText(all: VoteCounts, now: VoteCounts | null | undefined): string | null {
  const brief = nowBrief(all, now);
  return brief && now ? `${brief} of ${numberText(totalOf(now))}` : null;
}

/** '75% of 12 verified votes' (R44). */
export function verifiedText(verified: VoteCounts): string {
  const checked = totalOf(verified);
  return checked === 0 ? 'none verified' : `${shareOf(verified)} of ${plural(checked, 'verified vote')}`;
}
