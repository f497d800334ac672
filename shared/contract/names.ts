import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { Purpose } from './payments.ts';
import { Id, Ok, Reason, Time } from './types.ts';

const Shown = {
  name: z.string(),
  category: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  twitterHandle: z.string(),
  website: z.string().nullable(),
  owner: z.string(),
};

export const NameReview = z.object({
  paymentId: z.string(),
  purpose: Purpose,
  since: Time,
  /** No moderator looked in time: it is listed with a marker. */
  isListed: z.boolean(),
  /** The listing that is to be renamed, or that was listed. */
  project: z.object({ id: Id, slug: z.string(), name: z.string() }).nullable(),
  ...Shown,
  /** `isClose`: one letter more, less, doubled or swapped; the others look the same. */
  others: z.array(z.object({ id: Id, slug: z.string(), listedAt: Time, isClose: z.boolean(), ...Shown })),
});
export type NameReview = z.output<typeof NameReview>;

export const listNameReviews = endpoint('listNameReviews', {
  access: 'admin',
  summary: "Paid orders whose name looks like another listing's and waits for a moderator, newest first",
  ...inPages({ size: 50, max: 200 }),
  response: z.array(NameReview),
});

export const reviewName = endpoint('reviewName', {
  access: 'admin',
  summary:
    'Decide on a name that looks like that of another listing: list it, or decline it with a reason that the payer reads; the fee then waits for its refund',
  params: z.object({ id: z.uuid() }),
  body: z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('list') }),
    z.object({ decision: z.literal('decline'), reason: Reason }),
  ]),
  statuses: { 404: 'There is no such payment', 409: 'It does not wait, or the order cannot be completed' },
  response: Ok,
});
