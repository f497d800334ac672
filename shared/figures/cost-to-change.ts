import { confidence, type VoteCounts } from '../numbers/interval.ts';
import { STANDING_NEEDED_DAYS, STANDING_VOTER_DAYS, STANDING_WINDOW_DAYS } from '../states/votes.ts';

/**
 * Cost of changing a verified figure by casting votes (R44): wallets with standing that have not voted yet, each with
 * one vote per project, and so the SUI that they must hold, and for how many days. Pure; the record's readers may use
 * the same function.
 */

const withBullish = ({ bullish, bearish }: VoteCounts, more: number): VoteCounts => ({
  bullish: bullish + more,
  bearish,
});
const withBearish = ({ bullish, bearish }: VoteCounts, more: number): VoteCounts => ({
  bullish,
  bearish: bearish + more,
});

/** The smallest number for which a rule holds that holds for all greater ones, too, and not for `tooFew`. */
export function fewest(tooFew: number, holds: (count: number) => boolean): number {
  let [low, high] = [tooFew, 2 * tooFew + 1];
  while (!holds(high)) [low, high] = [high, 2 * high + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

const lowerBound = ({ bullish, bearish }: VoteCounts): number => confidence(bullish, bearish);

/** The fewest wallets with which the bullish share is below half; 0 if it already is. */
export const walletsToFallBelowHalf = ({ bullish, bearish }: VoteCounts): number => Math.max(0, bullish - bearish + 1);

/** The fewest wallets with which at least half of the votes are bullish; 0 if they already are, and 1 without votes. */
export const walletsToReachHalf = ({ bullish, bearish }: VoteCounts): number =>
  bullish + bearish === 0 ? 1 : Math.max(0, bearish - bullish);

/**
 * The fewest wallets with which `own` comes before `above` in the order 'Verified', where it comes after it now: at
 * least one where both are equal. Each votes on both projects, bullish on one and bearish on the other, which is the
 * cheapest way.
 */
export function walletsToPass(own: VoteCounts, above: VoteCounts): number {
  const passes = (wallets: number) => lowerBound(withBullish(own, wallets)) > lowerBound(withBearish(above, wallets));
  return passes(0) ? 0 : fewest(0, passes);
}

/** More than half of the days since a vote. */
export const LASTING_DAYS = Math.floor(STANDING_VOTER_DAYS / 2) + 1;
/** Weeks of standing that a vote takes until it is decided. */
export const LASTING_WEEKS = STANDING_VOTER_DAYS / STANDING_WINDOW_DAYS;

/** The fewest coins with which that many wallets have standing at one moment, sharing them by turns: six serve seven. */
export const coinsAtOnce = (wallets: number): number =>
  Math.ceil((wallets * STANDING_NEEDED_DAYS) / STANDING_WINDOW_DAYS);

export const heldMist = (wallets: number, standingMinMist: bigint): bigint =>
  BigInt(coinsAtOnce(wallets)) * standingMinMist;
