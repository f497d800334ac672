import { STANDING_VOTER_DAYS, type VoteState } from '#shared/states/votes.ts';
import { daysBetween } from '../entries/days.ts';

type Standing = Extract<VoteState, 'verified' | 'waiting' | 'no_standing'>;

/** The state of an opinion by standing so far, which an exclusion hides for a while. */
export interface Past {
  last: Standing | null;
  /** Was verified and no longer is: only repeating the opinion brings that back. */
  isLost: boolean;
}

const isOfStanding = (state: VoteState): state is Standing =>
  state === 'verified' || state === 'waiting' || state === 'no_standing';
const isSunday = (day: string): boolean => new Date(day).getUTCDay() === 0;

export const NO_PAST: Past = { last: null, isLost: false };

/** Why an opinion given on `saidOn` cannot move between states in the batch of `day` (R38); null if it can. */
export function illegalMove(
  { last, isLost }: Past,
  { from, to, saidOn, day }: { from: VoteState | null; to: VoteState; saidOn: string; day: string },
): string | null {
  if (!isOfStanding(to) || to === last) return null;
  if (from !== null && isOfStanding(from) && !isSunday(day)) return 'standing changes on Sundays alone';
  if (to === 'no_standing')
    return daysBetween(saidOn, day) < STANDING_VOTER_DAYS ? `it is decided after ${STANDING_VOTER_DAYS} days` : null;
  if (last === 'no_standing') return 'it was decided for good';
  return to === 'verified' && isLost ? 'it was verified before and lost that' : null;
}

export const pastWith = (past: Past, to: VoteState): Past =>
  isOfStanding(to) ? { last: to, isLost: past.isLost || (past.last === 'verified' && to !== 'verified') } : past;
