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
/** States of votes that count in no verified figure, for a reason that time does not change. */
export const EXCLUDED_STATES = ['no_standing', 'rhythm', 'moderator'] as const satisfies readonly VoteState[];

/** A vote is decided for good by this many days after its own, on which its wallet is read; hashes of networks are kept as long. */
export const STANDING_VOTER_DAYS = 35;
/** This many of those days must have been read. */
export const DECISION_MIN_DAYS = 10;
/** Before that: of this many last days that the site read … */
export const STANDING_WINDOW_DAYS = 7;
/** … the wallet must have held enough on this many … */
export const STANDING_NEEDED_DAYS = 6;
/** … where up to this many count as held on which it was asked without an answer. */
export const STANDING_EXCUSED_DAYS = 1;
