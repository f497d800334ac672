/**
 * Which votes count as verified (R37 to R39). The views vote_states and vote_evidence of the database say the same of stored votes, and a test
 * compares the two.
 */

/**
 * waiting: too new, or not read often or lately enough · no_standing: read, and too seldom with enough SUI · standing: the wallet held
 * enough on enough of the last days read.
 */
export const VOTER_STATES = ['waiting', 'no_standing', 'standing'] as const;
export type VoterState = (typeof VOTER_STATES)[number];

/**
 * verified: counts among the verified votes · waiting: not verified yet · no_standing: excluded for good, as its wallet held too little in
 * the 35 days after the vote · rhythm, moderator: excluded, set aside by itself · replaced: the voter has voted on the project again in a
 * later listing period (R45).
 */
export const VOTE_STATES = ['verified', 'waiting', 'no_standing', 'rhythm', 'moderator', 'replaced'] as const;
export type VoteState = (typeof VOTE_STATES)[number];

/** Why a vote can be set aside by itself. */
export type SetAsideReason = Extract<VoteState, 'rhythm' | 'moderator'>;
/** States of votes that count in no verified figure, for a reason that time does not change. */
export const EXCLUDED_STATES = ['no_standing', 'rhythm', 'moderator'] as const satisfies readonly VoteState[];

/** A vote is decided for good by so many days after its own, on which its wallet is read; hashes of networks are kept as long. */
export const STANDING_VOTER_DAYS = 35;
/** So many of them have to have been read. */
export const DECISION_MIN_DAYS = 10;
/** Until then: of the last so many days on which a wallet was read … */
export const STANDING_WINDOW_DAYS = 7;
/** … it has to have held enough on so many. */
export const STANDING_NEEDED_DAYS = 4;

/** What the readings say of a voter. */
export interface VoterFacts {
  /** Whole days since the first sign-in. */
  ageDays: number;
  /** Days read, of the last seven days on which the wallet was read. */
  daysRead: number;
  /** Those of them on which it held enough in both readings. */
  daysHeld: number;
  /** Was not read on any of the last seven days that were read on the site: what was read before says nothing about today. */
  isOutdated?: boolean;
}

/** The state of a voter. `minDays` is STANDING_MIN_DAYS of the server. */
export function voterState(
  { ageDays, daysRead, daysHeld, isOutdated = false }: VoterFacts,
  minDays: number,
): VoterState {
  if (ageDays < minDays || isOutdated || daysRead < STANDING_NEEDED_DAYS) return 'waiting';
  return daysHeld < STANDING_NEEDED_DAYS ? 'no_standing' : 'standing';
}

/** What the readings since a vote say of its wallet. */
export interface Evidence {
  /** Days read since the vote, and those of them on which the wallet held enough in both readings. */
  daysRead: number;
  daysHeld: number;
  /** The account was deleted: its wallet is no longer read. */
  isGone?: boolean;
}

export type Decision = Extract<VoteState, 'verified' | 'no_standing' | 'waiting'>;

/** What is decided of a vote when its 35 days are over; one that waits is decided once ten days could be read. */
export function decide({ daysRead, daysHeld, isGone = false }: Evidence): Decision {
  if (daysRead < DECISION_MIN_DAYS) return isGone ? 'no_standing' : 'waiting';
  return 2 * daysHeld > daysRead ? 'verified' : 'no_standing';
}

/**
 * The state of a vote: that of its decision, before that as its voter, unless it is set aside by itself; a moderator's decision wins, a
 * newer vote over all.
 */
export function voteState(
  voter: VoterState,
  aside: readonly SetAsideReason[],
  { isReplaced = false, decision = null }: { isReplaced?: boolean; decision?: Decision | null } = {},
): VoteState {
  if (isReplaced) return 'replaced';
  if (aside.includes('moderator')) return 'moderator';
  if (aside.includes('rhythm')) return 'rhythm';
  return decision ?? (voter === 'standing' ? 'verified' : 'waiting');
}
