import type { VoteHistoryItem } from '../contract/users.ts';
import type { VoteCounts } from '../numbers/interval.ts';
import { plural } from '../numbers/plural.ts';
import { RANK_MIN_VOTES } from './sorts.ts';

/** Days after which a call counts (R90). */
export const CALL_MIN_DAYS = 7;
/** Bounds the read of a voter with very many votes; the newest count. */
export const CALLS_COUNTED = 1_000;
/** A share that moved by fewer points since the last visit counts as unmoved (R95). */
const MOVED_MIN_POINTS = 5;

export const hasShare = ({ bullish, bearish }: VoteCounts): boolean => bullish + bearish >= RANK_MIN_VOTES;

/** Whether the verified majority has the direction of a vote; null with fewer than ten verified votes, and in a tie. */
export function isWithMajority(isBullish: boolean, now: VoteCounts): boolean | null {
  if (!hasShare(now) || now.bullish === now.bearish) return null;
  return now.bullish > now.bearish === isBullish;
}

/** Points by which the verified share moved; 0 below five, or where either figure has too few votes. */
export function pointsMoved(then: VoteCounts, now: VoteCounts): number {
  if (!hasShare(then) || !hasShare(now)) return 0;
  const [votesThen, votesNow] = [then.bullish + then.bearish, now.bullish + now.bearish];
  // In whole numbers, so that exactly five points count as five.
  const moved = 100 * (now.bullish * votesThen - then.bullish * votesNow);
  return Math.abs(moved) < MOVED_MIN_POINTS * votesThen * votesNow ? 0 : moved / (votesThen * votesNow);
}

export interface CallTotals {
  calls: number;
  /** Calls with the verified majority, and those of them given before their project had ten verified votes. */
  withMajority: number;
  early: number;
}

export function countCalls(calls: ReadonlyArray<VoteHistoryItem['call']>): CallTotals {
  const counted = calls.filter((call) => call !== null).filter((call) => call.isWithMajority !== null);
  const won = counted.filter((call) => call.isWithMajority === true);
  const early = won.filter(({ before }) => !hasShare(before));
  return { calls: counted.length, withMajority: won.length, early: early.length };
}

/** '14 of 22 calls' */
export const ofCallsText = ({ calls, withMajority }: CallTotals): string =>
  `${withMajority.toLocaleString('en-US')} of ${plural(calls, 'call')}`;

export function callsText(totals: CallTotals): string {
  const early = totals.early > 0 ? `, ${totals.early.toLocaleString('en-US')} of them early` : '';
  const coin = (totals.calls / 2).toLocaleString('en-US');
  return `You are with the verified majority in ${ofCallsText(totals)}${early}; a coin would have ${coin}`;
}

export const CALLS_HASH = '#calls';
export const FOLLOWS_HASH = '#follows';
