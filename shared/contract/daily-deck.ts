import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { REASONS } from '../voting/reasons.ts';
import { Id, IdParam, ListingChange, Project, Time, VoteType } from './types.ts';

/**
 * Reason for a project in a daily deck: an earlier vote of the user, in this or an earlier listing period, a new listing, a result near a tie, a moved
 * result, or none of them.
 */
export const DAILY_KINDS = ['still_bullish', 'new', 'close', 'moved', 'feed'] as const;
export type DailyKind = (typeof DAILY_KINDS)[number];

const DailyVote = z.object({
  voteType: VoteType,
  /** Both counts are null while the vote can be undone (R59). */
  bullishCount: z.int().nullable(),
  bearishCount: z.int().nullable(),
  /** Reasons of this vote (R89); missing where none can be given. */
  reasons: z.array(z.enum(REASONS)).optional(),
});

const DailyCard = z.object({
  projectId: Id,
  kind: z.enum(DAILY_KINDS),
  name: z.string().nullable(),
  imageUrl: z.string().nullable(),
  project: Project.nullable(),
  /** The user's vote of the present listing period that the card asks about (R61), answered by a change of it; else null. */
  asksAbout: VoteType.nullable(),
  /** Changes of the project's identity since that vote (R60); missing where there are none. */
  changed: ListingChange.pick({ what: true, name: true }).optional(),
  /** The user's vote of the present listing period, with the result as of now once its undo is over. */
  vote: DailyVote.nullable(),
});
export type DailyCard = z.output<typeof DailyCard>;

export const DailyDeck = z.object({
  day: z.string(),
  /** Votes of today first, in their order. */
  cards: z.array(DailyCard).max(10),
  streak: z.int(),
  votesReturnAt: Time.nullable(),
  /** The last vote on each project that the user may vote on again, because another listing period has begun. */
  earlierVotes: z.array(z.object({ projectId: Id, voteType: VoteType })).max(500),
});
export type DailyDeck = z.output<typeof DailyDeck>;

export const getDailyDeck = endpoint('getDailyDeck', {
  access: 'self',
  summary: "The ten projects of the user's UTC day; the user's other votes of today take the places of open ones",
  params: IdParam,
  response: DailyDeck,
});
