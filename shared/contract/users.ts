import { z } from 'zod';
import { ACTIVITY_KINDS } from '../people/activity-kinds.ts';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { VoteState } from './standing.ts';
import { Id, IdParam, ImageDataUrl, Time, User, UserStats, VoteType, VotingStatus } from './types.ts';

const PROFILE_LIMIT_BYTES = 15 * 1024 * 1024;

export const getUser = endpoint('getUser', {
  access: 'self',
  summary: "The session's own profile",
  params: IdParam,
  response: User,
});

const ProfileChanges = z.object({
  username: z.string().max(200).nullish(),
  twitterLink: z.string().max(500).nullish(),
  telegramLink: z.string().max(500).nullish(),
  discordLink: z.string().max(500).nullish(),
  avatarUrl: ImageDataUrl.nullish(),
});
export type ProfileChanges = z.output<typeof ProfileChanges>;

const profileUpdate = {
  access: 'self',
  summary: 'Change the fields sent; null or an empty text clears a field',
  bodyLimitBytes: PROFILE_LIMIT_BYTES,
  params: IdParam,
  body: ProfileChanges,
  statuses: { 409: 'The username is taken' },
  response: User,
} as const;
export const updateUser = endpoint('updateUser', profileUpdate);
export const replaceUser = endpoint('replaceUser', profileUpdate);

export const getStats = endpoint('getStats', {
  access: 'self',
  summary: 'Votes, Snaps, and streak',
  params: IdParam,
  response: UserStats,
});

export const getVotingStatus = endpoint('getVotingStatus', {
  access: 'self',
  summary: 'Votes left in the current window of six hours',
  params: IdParam,
  response: VotingStatus,
});

/** The vote, or a later change or confirmation of it. */
export const Opinion = z.object({
  voteType: VoteType,
  saidAt: Time,
  /** The identity of the project that it is about (R60). */
  identity: z.int().positive(),
});

const Votes = z.object({ bullish: z.int(), bearish: z.int() });

export const VoteHistoryItem = z.object({
  id: z.string(),
  voteType: VoteType,
  tokensEarned: z.int(),
  createdAt: Time,
  since: Time,
  saidAt: Time,
  changeableFrom: Time.nullable(),
  period: z.int(),
  /** Opinions of the vote, oldest first, at most one a day after the first. */
  opinions: z.array(Opinion).min(1),
  /** Whether the vote counts: the newest vote on a project does (R45). */
  counts: z.boolean(),
  /** Whether the vote counts among the verified votes, and the reason if not. */
  state: VoteState,
  /** When it counts among the verified votes, in words; null if it never will (R38). */
  when: z.string().nullable(),
  detail: z.string().nullable(),
  /**
   * Verified votes on the project without the user's own (R90): at the last midnight (UTC) before `since`, when the user was here last (null for a
   * user without a vote before today), and on the last closed day. Null for a vote that is replaced, younger than a minute, or about an earlier
   * identity, and on a hidden project.
   */
  call: z
    .object({
      before: Votes,
      seen: Votes.nullable(),
      now: Votes,
      /** Null if it does not count: before 7 days, with fewer than ten votes now, or in a tie. */
      isWithMajority: z.boolean().nullable(),
    })
    .nullable(),
  project: z.object({ id: Id, slug: z.string(), name: z.string(), category: z.string(), imageUrl: z.string() }),
});
export type VoteHistoryItem = z.output<typeof VoteHistoryItem>;

export const listVotes = endpoint('listVotes', {
  access: 'self',
  summary: 'Votes, newest first',
  params: IdParam,
  ...inPages({ size: 100, max: 500 }),
  response: z.array(VoteHistoryItem),
});

export const MOVED_SHOWN = 20;

export const CallSummary = z.object({
  /** Calls that count, those with the verified majority, and those of them given before their project had ten verified votes (R90). */
  calls: z.int(),
  withMajority: z.int(),
  early: z.int(),
  /** Opinions given on each UTC day of this week and the four before it: votes, changes and confirmations. Empty days are missing. */
  days: z.array(Votes.extend({ day: z.iso.date() })),
  /** The last closed day. */
  asOf: z.iso.date().nullable(),
  /** The day of the user's last vote before today. */
  since: z.iso.date().nullable(),
  /** Calls before today, and those whose share moved by five points or more since then (R95); those that can be changed first, then the largest moves. */
  given: z.int(),
  moved: z.int(),
  movedVotes: z.array(VoteHistoryItem).max(MOVED_SHOWN),
});
export type CallSummary = z.output<typeof CallSummary>;

export const getCalls = endpoint('getCalls', {
  access: 'self',
  summary: 'How many own votes are with the verified majority, and which moved since the last visit',
  params: IdParam,
  response: CallSummary,
});

/** One line of the activity list (R36): a confirmed change of money or tokens. */
export const Activity = z.object({
  id: Id,
  kind: z.enum(ACTIVITY_KINDS),
  text: z.string(),
  tokens: z.int(),
  amountMist: z.string().nullable(),
  digest: z.string().nullable(),
  projectSlug: z.string().nullable(),
  createdAt: Time,
});
export type Activity = z.output<typeof Activity>;

export const listActivity = endpoint('listActivity', {
  access: 'self',
  summary: 'Confirmed payments and changes of Snaps, newest first',
  params: IdParam,
  ...inPages({ size: 50, max: 200 }),
  response: z.array(Activity),
});
