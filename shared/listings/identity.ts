import { confidence, type VoteCounts } from '../numbers/interval.ts';

/**
 * Identity of a listing (R60): name, picture, handle and website. Votes that were given before one of them changed are
 * about something else. Figures mention it until most votes are younger, and the orders of verified votes use the lower
 * of two bounds until as many verified votes exist since as before. Pure, so that page, server and readers of the
 * record compute the same.
 */
export const IDENTITY_FIELDS = ['name', 'picture', 'handle', 'website'] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

/** A change of identity that no moderator marked as the same project, with the votes on either side of it. */
export interface IdentityChange {
  changedAt: string;
  what: IdentityField[];
  /** The name before a change of the name; null if it is the present one, or was blanked. */
  oldName: string | null;
  votesBefore: number;
  /** Verified votes since. */
  bullish: number;
  bearish: number;
}

/** The change of identity shown beside a project's figures. */
export interface ListingChange {
  at: string;
  what: IdentityField[];
  /** The name before it was renamed; null if only other things changed. */
  name: string | null;
  /** Votes of the project that were cast before. */
  votes: number;
}

const totalOf = ({ bullish, bearish }: VoteCounts): number => bullish + bearish;

const isRenamed = ({ what }: IdentityChange): boolean => what.includes('name');

/** The votes that count under the name that a change gave up: those before it, without those before that name was taken. */
function votesUnderOldName(change: IdentityChange, changes: readonly IdentityChange[]): number {
  const renames = changes.filter(isRenamed);
  return change.votesBefore - (renames[renames.indexOf(change) - 1]?.votesBefore ?? 0);
}

/**
 * The change that figures mention, oldest first: one of a name that counted voters saw before all others, so that a new
 * picture hides no new name. Undefined once most votes are younger. `changes` are in the order of their time.
 */
export function mentionedChange(votes: VoteCounts, changes: readonly IdentityChange[]): ListingChange | undefined {
  const total = totalOf(votes);
  const open = changes.filter(({ votesBefore }) => 2 * Math.min(votesBefore, total) > total);
  const wasSeen = (one: IdentityChange): boolean => votesUnderOldName(one, changes) > 0;
  const renamed = open.filter(isRenamed);
  const change = renamed.find((one) => one.oldName !== null && wasSeen(one)) ?? renamed[0] ?? open[0];
  if (!change) return undefined;
  const { changedAt, what, oldName, votesBefore } = change;
  return { at: changedAt, what, name: wasSeen(change) ? oldName : null, votes: Math.min(votesBefore, total) };
}

/** Whether fewer verified votes exist since a change than before it. */
export const isYoung = (verified: VoteCounts, since: VoteCounts): boolean => 2 * totalOf(since) < totalOf(verified);

/**
 * The verified votes since a change, where they rank the project lower than all of its verified votes do; the lowest of
 * several changes, so that no further change is a gain. Undefined if all verified votes rank it.
 */
export function verifiedSince(verified: VoteCounts, changes: readonly VoteCounts[]): VoteCounts | undefined {
  const boundOf = ({ bullish, bearish }: VoteCounts): number => confidence(bullish, bearish);
  let lowest: VoteCounts | undefined;
  for (const { bullish, bearish } of changes) {
    const since = { bullish, bearish };
    if (isYoung(verified, since) && boundOf(since) < boundOf(lowest ?? verified)) lowest = since;
  }
  return lowest;
}

/** The number of verified votes since the last change, the smallest one of all changes; undefined without one. */
export const votesSinceLast = (changes: readonly VoteCounts[]): number | undefined =>
  changes.length === 0 ? undefined : Math.min(...changes.map(totalOf));
