import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { Id, IdParam, Ok, ProjectRef, Time, UserStats } from './types.ts';

export const ReviewReply = z.object({ content: z.string(), createdAt: Time });
export type ReviewReply = z.output<typeof ReviewReply>;

export const Review = z.object({
  id: Id,
  content: z.string(),
  /** A sentence of a voter with standing (R89); missing for a review. */
  isSentence: z.literal(true).optional(),
  createdAt: Time,
  user: z.object({ username: z.string().nullable(), walletAddress: z.string(), avatarUrl: z.string().nullable() }),
  reply: ReviewReply.nullable(),
});
export type Review = z.output<typeof Review>;

export const listReviews = endpoint('listReviews', {
  access: 'public',
  summary: 'Reviews of a project, newest first',
  params: ProjectRef,
  ...inPages({ size: 50, max: 200 }),
  response: z.array(Review),
});

export const postReview = endpoint('postReview', {
  access: 'user',
  summary: 'Review a project, which burns 10000 Snaps; or say a sentence with a verified wallet, which burns 100',
  params: ProjectRef,
  status: 201,
  body: z.object({
    userId: Id,
    content: z.string().max(5000),
    /** A sentence: one per project and listing period, after a vote whose result may be seen. */
    isSentence: z.boolean().optional(),
  }),
  statuses: {
    403: 'The project is your own, or your wallet is not verified yet',
    409: 'Not enough Snaps; or, for a sentence: no vote whose result may be seen, or one was posted in this listing period',
  },
  response: Review.extend({ userStats: UserStats }),
});

export const replyToReview = endpoint('replyToReview', {
  access: 'user',
  summary: "Reply to a review as the project's owner, or edit the reply; one per review",
  params: IdParam,
  body: z.object({ content: z.string().max(5000) }),
  statuses: { 403: 'The project belongs to another wallet', 409: 'A moderator has hidden the reply' },
  response: ReviewReply,
});

export const deleteReply = endpoint('deleteReply', {
  access: 'user',
  summary: 'Delete your reply to a review',
  params: IdParam,
  statuses: { 403: 'The project belongs to another wallet', 409: 'A moderator has hidden the reply' },
  response: Ok,
});
