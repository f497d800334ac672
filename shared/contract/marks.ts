import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { ListingFee } from './standing.ts';
import { Id, IdParam, Ok, Time } from './types.ts';

const Shown = {
  id: Id,
  slug: z.string(),
  name: z.string(),
  category: z.string(),
  description: z.string(),
  imageUrl: z.string(),
  twitterHandle: z.string(),
  website: z.string().nullable(),
  owner: z.string(),
  listedAt: Time,
};

export const MarkedListing = z.object({
  ...Shown,
  markedAt: Time,
  /** True if the listing is hidden and its fee is not refunded yet. */
  isHidden: z.boolean(),
  fee: ListingFee.nullable(),
  /** `isClose`: one letter more, less, doubled or swapped; the others look the same. */
  others: z.array(z.object({ isClose: z.boolean(), ...Shown })),
});
export type MarkedListing = z.output<typeof MarkedListing>;

export const listMarked = endpoint('listMarked', {
  access: 'admin',
  summary: "Listings whose name looks like another listing's and that no moderator has looked at, oldest first",
  ...inPages({ size: 50, max: 200 }),
  response: z.array(MarkedListing),
});

export const clearMark = endpoint('clearMark', {
  access: 'admin',
  summary:
    "Remove the mark of a name that looks like another listing's; a look of more than 72 hours adds its time to the listing",
  params: IdParam,
  statuses: { 409: 'The listing is not marked' },
  response: Ok,
});
