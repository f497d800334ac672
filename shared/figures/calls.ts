import type { CrowdMove } from '../contract/users.ts';
import type { VoteCounts } from '../numbers/interval.ts';
import { RANK_MIN_VOTES } from './sorts.ts';

/** A call counts after so many days (R90). */
export const CALL_MIN_DAYS = 7;
/** Bounds the read of a voter with very many votes; the newest count. */
export const CALLS_COUNTED = 1_000;
/** A share that moved less has not moved. */
const CALL_MIN_POINTS = 1;

export const hasShare = ({ bullish, bearish }: VoteCounts): boolean => bullish + bearish >= RANK_MIN_VOTES;

/** The way that the verified share went, as seen from a vote (R90); null where either figure has too few votes. */
export function crowdMove(isBullish: boolean, before: VoteCounts, now: VoteCounts): CrowdMove | null {
  if (!hasShare(before) || !hasShare(now)) return null;
  const [votesBefore, votesNow] = [before.bullish + before.bearish, now.bullish + now.bearish];
  // Points times both totals: whole numbers, so that exactly one point is one.
  const moved = 100 * (now.bullish * votesBefore - before.bullish * votesNow);
  if (Math.abs(moved) < CALL_MIN_POINTS * votesBefore * votesNow) return 'level';
  return moved > 0 === isBullish ? 'toward' : 'away';
}

export interface CallTotals {
  toward: number;
  /** Calls whose share moved in either direction. */
  moved: number;
}

export function countCalls(moves: ReadonlyArray<CrowdMove | null>): CallTotals {
  const toward = moves.filter((move) => move === 'toward').length;
  return { toward, moved: toward + moves.filter((move) => move === 'away').length };
}

export const callsText = ({ toward, moved }: CallTotals): string =>
  `The crowd came your way in ${toward.toLocaleString('en-US')} of ${moved.toLocaleString('en-US')}`;

export const CALLS_HASH = '#calls';
