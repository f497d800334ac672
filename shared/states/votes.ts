/**
 * Which votes count as verified (R37 to R39). The view vote_states of the database says the same of stored votes, and a test compares
 * the two.
 */

/**
 * waiting: too new, or not read often enough yet · no_standing: read, and too seldom with enough SUI · standing: the wallet held
 * enough on enough of the last days read.
 */
export const VOTER_STATES = ['waiting', 'no_standing', 'standing'] as const;
export type VoterState = (typeof VOTER_STATES)[number];

/**
 * verified: counts among the verified votes · waiting, no_standing: as its voter · rhythm, moderator: set aside by itself ·
 * replaced: the voter has voted on the project again in a later listing period (R45).
 */
export const VOTE_STATES = ['verified', 'waiting', 'no_standing', 'rhythm', 'moderator', 'replaced'] as const;
export type VoteState = (typeof VOTE_STATES)[number];

/** Why a vote can be set aside by itself. */
export type SetAsideReason = Extract<VoteState, 'rhythm' | 'moderator'>;

/** Wallets are read for this many days after their last vote; hashes of networks are kept as long. */
export const STANDING_VOTER_DAYS = 35;
/** Of the last so many days on which a wallet was read … */
export const STANDING_WINDOW_DAYS = 7;
/** … it has to have held enough on so many. */
export const STANDING_NEEDED_DAYS = 3;

/** What the readings say of a voter. */
export interface VoterFacts {
  /** Whole days since the first sign-in. */
  ageDays: number;
  /** Days read, of the last seven days on which the wallet was read. */
  daysRead: number;
  /** Those of them on which it held enough in both readings. */
  daysHeld: number;
  /** Votes again after so long an absence that none of the last seven days read is among its own. */
  isBack?: boolean;
}

/** The state of a voter. `minDays` is STANDING_MIN_DAYS of the server. */
export function voterState({ ageDays, daysRead, daysHeld, isBack = false }: VoterFacts, minDays: number): VoterState {
  if (ageDays < minDays || isBack || daysRead < STANDING_NEEDED_DAYS) return 'waiting';
  return daysHeld < STANDING_NEEDED_DAYS ? 'no_standing' : 'standing';
}

/** The state of a vote: that of its voter unless it is set aside by itself; a moderator's decision wins, a newer vote over all. */
export function voteState(voter: VoterState, aside: readonly SetAsideReason[], isReplaced = false): VoteState {
  if (isReplaced) return 'replaced';
  if (aside.includes('moderator')) return 'moderator';
  if (aside.includes('rhythm')) return 'rhythm';
  return voter === 'standing' ? 'verified' : voter;
}
