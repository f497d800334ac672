/** The votes that count as verified (R37 to R39): server/figures/standing/decide-week.ts and the view opinion_states. */

/**
 * By the last Sunday. waiting: no Sunday has looked at the voter yet · no_standing: the wallet held enough SUI too seldom ·
 * standing: it held enough on enough of the last days that the site read.
 */
export const VOTER_STATES = ['waiting', 'no_standing', 'standing'] as const;
export type VoterState = (typeof VOTER_STATES)[number];

/**
 * verified: counts among the verified votes · waiting: not verified yet · no_standing: excluded for good, as its wallet
 * held too little in the 35 days after the vote · rhythm, moderator: excluded, set aside individually · replaced: the
 * voter has voted on the project again in a later listing period (R45).
 */
export const VOTE_STATES = ['verified', 'waiting', 'no_standing', 'rhythm', 'moderator', 'replaced'] as const;
export type VoteState = (typeof VOTE_STATES)[number];

/** Reasons for setting a single vote aside. */
export type SetAsideReason = Extract<VoteState, 'rhythm' | 'moderator'>;
/** States of votes that count in no verified figure, for a reason that time does not change. */
export const EXCLUDED_STATES = ['no_standing', 'rhythm', 'moderator'] as const satisfies readonly VoteState[];

/** A vote is decided for good by this many days after its own, on which its wallet is read; hashes of networks are kept as long. */
export const STANDING_VOTER_DAYS = 35;
/** This many of them must have been read. */
export const DECISION_MIN_DAYS = 10;
/** Before that: of this many last days that the site read … */
export const STANDING_WINDOW_DAYS = 7;
/** … the wallet must have held enough on this many … */
export const STANDING_NEEDED_DAYS = 6;
/** … where up to this many count as held on which it was asked without an answer. */
export const STANDING_EXCUSED_DAYS = 1;

/** Results of a voter's readings. */
export interface VoterFacts {
  /** Whole days since the first sign-in. */
  ageDays: number;
  /** Days on which the wallet was read, among the last seven that the site read. */
  daysRead: number;
  /** Those of them on which it held enough in both readings. */
  daysHeld: number;
  /** Days of the seven on which it was asked without an answer. */
  daysUnread?: number;
}

/** The state of a voter. `minDays` is STANDING_MIN_DAYS of the server. */
export function voterState({ ageDays, daysRead, daysHeld, daysUnread = 0 }: VoterFacts, minDays: number): VoterState {
  const needed = STANDING_NEEDED_DAYS - Math.min(daysUnread, STANDING_EXCUSED_DAYS);
  if (ageDays < minDays || daysRead < needed) return 'waiting';
  return daysHeld < needed ? 'no_standing' : 'standing';
}

/** Readings of a vote's wallet since the vote. */
export interface Evidence {
  /** Days read since the vote, and those of them on which the wallet held enough in both readings. */
  daysRead: number;
  daysHeld: number;
  /** The account was deleted: its wallet is no longer read. */
  isGone?: boolean;
}

export type Decision = Extract<VoteState, 'verified' | 'no_standing' | 'waiting'>;

/** Decision about a vote when its 35 days are over; a waiting vote is decided once ten days could be read. */
export function decide({ daysRead, daysHeld, isGone = false }: Evidence): Decision {
  if (daysRead < DECISION_MIN_DAYS) return isGone ? 'no_standing' : 'waiting';
  return 2 * daysHeld > daysRead ? 'verified' : 'no_standing';
}
