import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Id, UserStats, VoteType, VotingStatus } from './types.ts';

export const castVote = endpoint('castVote', {
  access: 'user',
  summary: 'Vote on a project, once per listing period; the server decides the reward',
  body: z.object({
    userId: Id,
    projectId: Id,
    voteType: VoteType,
    /** Accepted and ignored (R6). */
    tokensEarned: z.unknown().optional(),
  }),
  statuses: {
    403: 'The project is your own',
    404: 'There is no such project',
    409: 'You have voted on it in this listing period, or it has expired',
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
