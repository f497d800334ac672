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

export const VoteEvidence = z.object({
  /** Whether it is decided for good; until then the days are those so far. */
  isDecided: z.boolean(),
  /** Days since the vote on which the wallet was read, and those of them with enough SUI. */
  daysRead: z.int(),
  daysHeld: z.int(),
});

/** The vote, or a later change or confirmation of it. */
export const Opinion = z.object({
  voteType: VoteType,
  saidAt: Time,
  /** The identity of the project that it is about (R60). */
  identity: z.int().positive(),
});

export const CrowdMove = z.enum(['toward', 'away', 'level']);
export type CrowdMove = z.output<typeof CrowdMove>;

const VerifiedVotes = z.object({ bullish: z.int(), bearish: z.int() });

export const VoteHistoryItem = z.object({
  id: z.string(),
  voteType: VoteType,
  tokensEarned: z.int(),
  createdAt: Time,
  since: Time,
  saidAt: Time,
  changeableFrom: Time.nullable(),
  period: z.int(),
  /** Oldest first, at most one a day after the first. */
  opinions: z.array(Opinion).min(1),
  /** Whether it counts: the newest vote on a project does (R45). */
  counts: z.boolean(),
  /** Whether it counts among the verified votes, and the reason if not. */
  state: VoteState,
  evidence: VoteEvidence,
  /** When it counts among the verified votes, in words; null where that is not to come (R38). */
  when: z.string().nullable(),
  detail: z.string().nullable(),
  /**
   * Verified votes on the project at the last midnight (UTC) before `since` and now, both without the user's own (R90). Null for a vote that is
   * replaced, younger than a minute, or about an earlier identity, and on a hidden project.
   */
  call: z
    .object({
      before: VerifiedVotes,
      now: VerifiedVotes,
      /** The way that the share went; null where it does not count: before 7 days, or with fewer than ten votes. */
      move: CrowdMove.nullable(),
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

export const CallSummary = z.object({
  /** Calls whose verified share moved by a point or more since, and those of them in which it moved toward the vote (R90). */
  moved: z.int(),
  toward: z.int(),
  /** Votes of the last 7 days. */
  week: z.object({ bullish: z.int(), bearish: z.int() }),
});
export type CallSummary = z.output<typeof CallSummary>;

export const getCalls = endpoint('getCalls', {
  access: 'self',
  summary: 'How often the verified share moved toward your votes',
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
