import { z } from 'zod';
import { PAYOUT_MAX_RECIPIENTS } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { AdminWithdrawal } from './admin.ts';
import { Digest, Id, IdParam, Reason, Time } from './types.ts';

/**
 * Why nothing can be paid. none: no SNAPS_BOOK is set · unread: the chain did not answer yet · no_book: the chain has no Book
 * of that id · other_coin: it is of another coin, or of other decimals · other_book: the database continues another Book ·
 * unknown_key: ACCOUNT_KEY is not the one of deleted accounts.
 */
export const BOOK_PROBLEMS = ['none', 'unread', 'no_book', 'other_coin', 'other_book', 'unknown_key'] as const;
export type BookProblem = (typeof BOOK_PROBLEMS)[number];

export const PayoutBook = z.object({
  hasCoin: z.boolean(),
  problem: z.enum(BOOK_PROBLEMS).nullable(),
  /** The Book of SNAPS_BOOK, and that with which the database continues. */
  setting: z.string().nullable(),
  known: z.string().nullable(),
  /** The Book on the chain; null while the node does not answer. */
  chain: z
    .object({
      owner: z.string(),
      payers: z.array(z.string()),
      wallets: z.int(),
      paidSnaps: z.int(),
    })
    .nullable(),
  /** Snaps paid through this Book by our books, and approved in it. */
  paidSnaps: z.int(),
  approvedSnaps: z.int(),
  /** Holdings of the paying wallets; null while the node does not respond. */
  wallets: z.array(z.object({ address: z.string(), heldSnaps: z.int().nullable(), gasMist: z.string().nullable() })),
  /** The last restore that the server noticed. */
  restoredAt: Time.nullable(),
});
export type PayoutBook = z.output<typeof PayoutBook>;

export const getPayoutBook = endpoint('getPayoutBook', {
  access: 'admin',
  summary: 'What the Book says, what the books say, and what the paying wallets hold (R97)',
  response: PayoutBook,
});

export const beginBook = endpoint('beginBook', {
  access: 'admin',
  summary: 'End the Book of the database and begin that of SNAPS_BOOK, with a reason for the audit log',
  body: z.object({ reason: Reason }),
  statuses: { 409: 'The settings name no other Book' },
  response: PayoutBook,
});

export const PreparedPayout = z.object({
  book: z.object({ id: z.string(), packageId: z.string(), coinType: z.string(), sharedSince: z.string() }),
  sender: z.string(),
  due: z.array(z.object({ account: z.string(), total: z.string(), atMost: z.string() })),
  withdrawalIds: z.array(Id),
  /** Withdrawals set aside because the chain refuses them, with its reason. */
  refused: z.array(z.object({ withdrawalIds: z.array(Id), reason: z.string() })),
});
export type PreparedPayout = z.output<typeof PreparedPayout>;

export const preparePayout = endpoint('preparePayout', {
  access: 'admin',
  summary: 'What the Book has to be called with for these withdrawals, and for all that their wallets are owed before',
  body: z.object({ withdrawalIds: z.array(Id).min(1).max(PAYOUT_MAX_RECIPIENTS) }),
  statuses: { 409: 'One of the withdrawals is not approved, or nothing can be paid now' },
  response: PreparedPayout,
});

export const SentPayout = z.object({
  digest: z.string(),
  /** Withdrawals that the chain has paid; the others follow when it has. */
  paidIds: z.array(Id),
});
export type SentPayout = z.output<typeof SentPayout>;

export const sendPayout = endpoint('sendPayout', {
  access: 'admin',
  summary: 'Execute a signed call of the Book, or settle what a wallet has sent on its own',
  body: z.object({
    withdrawalIds: z.array(Id).min(1).max(PAYOUT_MAX_RECIPIENTS),
    signed: z.union([
      z.object({ bytes: z.string().max(200_000), signature: z.string().max(20_000) }),
      z.object({ digest: Digest }),
    ]),
  }),
  statuses: { 409: 'Nothing can be paid now' },
  response: SentPayout,
});

export const recordPayout = endpoint('recordPayout', {
  access: 'admin',
  summary: 'Record withdrawals that were paid by hand, on a site without a coin',
  body: z.object({
    withdrawalIds: z.array(Id).min(1).max(PAYOUT_MAX_RECIPIENTS),
    digest: Digest,
    /** True after a restore if the admin has compared what was paid since then. */
    hasCompared: z.boolean().default(false),
  }),
  statuses: { 409: 'One of the withdrawals is not approved, or the database was restored' },
  response: SentPayout,
});

export const confirmPaidEarlier = endpoint('confirmPaidEarlier', {
  access: 'admin',
  summary: 'Settle a withdrawal that the Book had paid before it was approved, with a reason for the audit log',
  params: IdParam,
  body: z.object({ reason: Reason }),
  statuses: { 409: 'It does not wait for this' },
  response: AdminWithdrawal,
});
