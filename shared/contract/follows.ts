import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FOLLOW_VOTE_DAYS, FOLLOWS_MAX } from '../voting/follow-rules.ts';
import { Id, IdParam, Time } from './types.ts';

export const Follows = z.object({
  /** Whether own votes are followed. */
  votes: z.boolean(),
  /** Newest first; of those that only own votes follow the newest 200. */
  projects: z.array(
    z.object({
      id: Id,
      slug: z.string(),
      name: z.string(),
      /** End of a follow by a vote; null for one by the star. */
      until: Time.nullable(),
      /** The turn that followers were notified of within the last week: verified votes on a published day, and a week before. */
      turn: z
        .object({ day: z.string(), bullish: z.int(), bearish: z.int(), bullishBefore: z.int(), bearishBefore: z.int() })
        .nullable(),
    }),
  ),
});
export type Follows = z.output<typeof Follows>;

export const getFollows = endpoint('getFollows', {
  access: 'user',
  summary: `Projects that the user follows: by their star, and by own votes of the last ${FOLLOW_VOTE_DAYS} days (R91)`,
  response: Follows,
});

export const followVotes = endpoint('followVotes', {
  access: 'user',
  summary: `Follow what you vote on for ${FOLLOW_VOTE_DAYS} days, or do not`,
  body: z.object({ votes: z.boolean() }),
  response: Follows,
});

export const followProject = endpoint('followProject', {
  access: 'user',
  summary: `Follow a project, or end it; ${FOLLOWS_MAX} at most`,
  params: IdParam,
  body: z.object({ follows: z.boolean() }),
  statuses: { 404: 'There is no such project', 409: `You follow ${FOLLOWS_MAX} projects already` },
  response: Follows,
});
