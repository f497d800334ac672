import { dayText } from '../text/day-text.ts';
import { formatSui, parseMist } from '../money/money.ts';
import { STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS, type VoterState, type VoteState } from '../states/votes.ts';

const DAY_MS = 86_400_000;
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

export interface Voter {
  state: VoterState;
  /** When the account is old enough. */
  oldEnoughAt: string;
  /** Days among the last seven that the site read. */
  daysRead: number;
  minMist: string;
}

/** When a listing whose votes are all young gets verified figures (R92). */
export const VERIFIED_BEGINS =
  'Verified figures begin the day after a verified wallet votes. A new wallet is verified on a Monday, ' +
  `${STANDING_WINDOW_DAYS + 1} to ${2 * STANDING_WINDOW_DAYS} days after it signs in.`;

/** '30 Nov': the Monday after the first Sunday that can look at a new voter (R38), where every day is read. */
export function firstMonday({ oldEnoughAt, daysRead }: Pick<Voter, 'oldEnoughAt' | 'daysRead'>, nowMs: number): string {
  const oldEnoughOn = dayOf(Date.parse(oldEnoughAt) - 1);
  const readOn = dayOf(nowMs) + Math.max(0, STANDING_NEEDED_DAYS - daysRead);
  const day = Math.max(oldEnoughOn, readOn);
  // Day 3 of the epoch was a Sunday.
  const sunday = day + ((STANDING_WINDOW_DAYS + 3 - (day % STANDING_WINDOW_DAYS)) % STANDING_WINDOW_DAYS);
  return dayText(new Date((sunday + 1) * DAY_MS).toISOString()).slice(0, -5);
}

interface Vote {
  state: VoteState;
  saidAt: string;
  /** Days since the vote on which its wallet was read, and held enough. */
  daysRead: number;
  daysHeld: number;
  isChangeable: boolean;
}

/** When your vote counts among the verified votes (R38); null if nothing can be said or done. */
export function whenCounts(vote: Vote, voter: Voter, nowMs: number): string | null {
  const { state, daysRead, daysHeld, isChangeable } = vote;
  if (state === 'verified')
    return dayOf(Date.parse(vote.saidAt)) < dayOf(nowMs) ? null : 'Your vote counts as verified from tomorrow on';
  if (state !== 'waiting' && state !== 'no_standing') return null;
  const sui = `${formatSui(parseMist(voter.minMist))} SUI`;
  const isLate = daysRead >= 2 && daysHeld === 0;
  if (voter.state === 'waiting' && !isLate) return `Counts on Monday ${firstMonday(voter, nowMs)}, if you hold ${sui}`;
  if (!isChangeable) return null;
  if (voter.state === 'standing') return 'Say it again to make it count';
  return `Counts once you hold ${sui} for a week, then say it again`;
}
