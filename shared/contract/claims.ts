import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { inPages } from './pages.ts';
import { ListingFee } from './standing.ts';
import { Id, IdParam, MistText, Ok, ProjectRef, Reason, Time } from './types.ts';

export const answerClaim = endpoint('answerClaim', {
  access: 'user',
  summary: 'Answer the claim on your listing, once and within seven days; moderators read it until they decide',
  params: ProjectRef,
  body: z.object({ answer: Reason }),
  statuses: { 403: 'The listing belongs to another wallet', 409: 'No claim waits for an answer' },
  response: Ok,
});

export const AdminClaim = z.object({
  id: Id,
  projectId: Id,
  /** User id of the claimer. */
  userId: Id,
  slug: z.string(),
  name: z.string(),
  coinType: z.string().nullable(),
  packageId: z.string().nullable(),
  claimer: z.string(),
  lister: z.string(),
  createdAt: Time,
  answer: z.string().nullable(),
  /** True if the lister has answered or the time for it is over: the claim can be confirmed. */
  isDue: z.boolean(),
  decidedAt: Time.nullable(),
  /** The part of the newest fee to refund if the claim is confirmed. */
  rest: ListingFee.pick({ paymentId: true, paidBy: true }).extend({ amountMist: MistText }).nullable(),
});
export type AdminClaim = z.output<typeof AdminClaim>;

export const listClaims = endpoint('listClaims', {
  access: 'admin',
  summary:
    'Claims on listings of other wallets that wait for a decision or for the refund of their lister, oldest first',
  ...inPages({ size: 50, max: 200 }),
  response: z.array(AdminClaim),
});

export const decideClaim = endpoint('decideClaim', {
  access: 'admin',
  summary:
    'Confirm a claim, which hands the listing over and says whether what is left of the fee is refunded or kept, or refuse it',
  params: IdParam,
  body: z.object({ isConfirmed: z.boolean(), isRefunded: z.boolean().default(false), reason: Reason }),
  statuses: {
    403: 'It is your own claim',
    409: 'It is decided already, its lister can still answer, the wallet no longer holds the cap, or nothing is left of a fee',
    503: 'The Sui node did not respond',
  },
  response: Ok,
});
