import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { FOLLOWS_MAX } from '../voting/follow-rules.ts';
import { Id, IdParam } from './types.ts';

export const Follows = z.object({
  /** Newest first. */
  projects: z.array(
    z.object({
      id: Id,
      slug: z.string(),
      name: z.string(),
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
  summary: 'Projects that the user follows by their star (R91)',
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
