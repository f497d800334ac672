import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Id } from './types.ts';

export const TopVoter = z.object({
  rank: Id,
  name: z.string().nullable(),
  walletAddress: z.string(),
  avatarUrl: z.string().nullable(),
  totalVotes: z.int(),
  user: z.object({
    id: Id,
    username: z.string().nullable(),
    walletAddress: z.string(),
    avatarUrl: z.string().nullable(),
  }),
  stats: z.object({ totalVotes: z.int() }),
});
export type TopVoter = z.output<typeof TopVoter>;

export const getLeaderboard = endpoint('getLeaderboard', {
  access: 'public',
  summary: 'Top voters by the votes of a closed day; with userId also that user, by all votes',
  query: z.object({ userId: z.coerce.number().int().positive().optional() }),
  response: z.object({
    topVoters: z.array(TopVoter),
    currentUserRank: z.int().nullable(),
    asOf: z.iso.date().nullable(),
    /** Totals of others are the step that they reached: 10, 25, 50, 100 … (R85). */
    isInSteps: z.boolean(),
  }),
});
