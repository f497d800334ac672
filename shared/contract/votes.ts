import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { REASONS, REASONS_EACH } from '../voting/reasons.ts';
import { Id, IdText, ProjectRef, Time, UserStats, VoteType, VotingStatus } from './types.ts';

const SeenIdentity = Id.optional();

export const castVote = endpoint('castVote', {
  access: 'user',
  summary: 'Vote on a project, once per listing period; the server decides the reward',
  body: z.object({
    userId: Id,
    projectId: Id,
    voteType: VoteType,
    identity: SeenIdentity,
    tokensEarned: z.unknown().optional(),
  }),
  statuses: {
    403: 'The project is your own',
    404: 'There is no such project',
    409: 'You have already voted on it in this listing period, it has expired, or its identity is another by now (renamed)',
    429: 'The votes of this window are used up',
  },
  response: z.object({
    userStats: UserStats,
    votingStatus: VotingStatus,
    tokensEarned: z.int(),
    /** 1000 in the one response whose vote took the user's earned total to 1000 (R10), else null. */
    congratulation: z.int().nullable(),
  }),
});

const ProjectNumber = z.object({ projectId: IdText });

export const changeVote = endpoint('changeVote', {
  access: 'user',
  summary: 'Change or confirm your vote of the present listing period, once a UTC day; it earns nothing',
  params: ProjectNumber,
  body: z.object({ voteType: VoteType, identity: SeenIdentity }),
  statuses: {
    403: 'The project is your own',
    404: 'There is no such project, or you have not voted on it in this listing period',
    409: 'You have changed or confirmed it today (changed_today) or less than a minute ago (changed_too_soon), the project has expired, or its identity is another by now (renamed)',
    429: 'Sixty votes were changed or confirmed in the last six hours',
  },
  response: z.object({
    userStats: UserStats,
    votingStatus: VotingStatus,
    change: z.enum(['changed', 'confirmed']),
  }),
});

export const undoVote = endpoint('undoVote', {
  access: 'user',
  summary:
    'Undo your newest vote or change within eight seconds, before its result and the next one: its reward and its place in the window, too',
  params: ProjectNumber,
  statuses: { 409: 'It can no longer be taken back', 429: 'Ten votes were taken back in the last six hours' },
  response: z.object({ userStats: UserStats, votingStatus: VotingStatus }),
});

export const OwnVote = z.object({
  /**
   * The newest one, of any listing period: when it was cast, since when it has its direction, and when that was last
   * said (changed or confirmed); and when it counts among the verified votes, in words (R38).
   */
  vote: z
    .object({ voteType: VoteType, period: Id, createdAt: Time, since: Time, saidAt: Time, when: z.string().optional() })
    .nullable(),
  /** Whether a vote would count now, or why not; voted: already in the present listing period. */
  canVote: z.enum(['yes', 'own', 'hidden', 'voted', 'barred', 'expired']),
  changeableFrom: Time.nullable(),
  /** The page offers the undo three seconds less. */
  undoableUntil: Time.nullable(),
  /** All standing votes, for those who have voted in the present listing period and whose undo is over (R47, R59). */
  result: z.object({ bullishCount: z.int(), bearishCount: z.int() }).nullable(),
  /** Reasons of this vote (R89); missing where none can be given. */
  reasons: z.array(z.enum(REASONS)).optional(),
});
export type OwnVote = z.output<typeof OwnVote>;

export const getOwnVote = endpoint('getOwnVote', {
  access: 'user',
  summary: "The session's newest vote on a project, whether another one would count, and the result after it",
  params: ProjectRef,
  response: OwnVote,
});

export const getDirections = endpoint('getDirections', {
  access: 'user',
  summary: 'Listed projects that the session has voted on, by the direction of its newest vote',
  response: z.object({ bullish: z.array(Id), bearish: z.array(Id) }),
});

export const setReasons = endpoint('setReasons', {
  access: 'user',
  summary: 'Say why you voted: up to two reasons, in the place of those before; public as totals only (R89)',
  params: ProjectNumber,
  body: z.object({
    reasons: z
      .array(z.enum(REASONS))
      .max(REASONS_EACH, `At most ${REASONS_EACH} reasons`)
      .refine((reasons) => new Set(reasons).size === reasons.length, 'The same reason twice'),
  }),
  statuses: {
    404: 'You have not voted on it',
    409: 'The vote can still be undone, is of an earlier listing period, or the project has expired',
  },
  response: OwnVote,
});

export const showResult = endpoint('showResult', {
  access: 'user',
  summary: 'Show the result of your vote on a project, which ends its undo',
  params: ProjectNumber,
  statuses: { 404: 'You have not voted on it' },
  response: OwnVote,
});
