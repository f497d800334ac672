import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { WITHDRAWAL_STATES } from '../states/withdrawal.ts';
import { inPages } from './pages.ts';
import { Waits } from './supply.ts';
import { Id, Time, UserStats, WalletAddress } from './types.ts';

export const WithdrawalState = z.enum(WITHDRAWAL_STATES);
export type WithdrawalState = z.output<typeof WithdrawalState>;

export const Withdrawal = z.object({
  id: Id,
  tokenAmount: z.int(),
  walletAddress: z.string(),
  state: WithdrawalState,
  digest: z.string().nullable(),
  /** Paid before its approval, by a payout that a restore took out of the books. */
  paidEarlier: z.boolean(),
  reason: z.string().nullable(),
  createdAt: Time,
  updatedAt: Time,
});
export type Withdrawal = z.output<typeof Withdrawal>;

export const requestWithdrawal = endpoint('requestWithdrawal', {
  access: 'user',
  summary: 'Hold Snaps and request their payout; the header Idempotency-Key makes a retry safe',
  status: 201,
  body: z.object({
    userId: Id,
    walletAddress: WalletAddress,
    /** A whole number of at least 50; all other amounts get 'Invalid amount', so the type is checked in the action. */
    tokenAmount: z.unknown().optional(),
  }),
  statuses: {
    403: 'Withdrawals are paused',
    409: 'The Idempotency-Key was used for another amount, or another withdrawal is open and the wallet is not verified',
  },
  response: z.object({ withdrawal: Withdrawal, userStats: UserStats }),
});

export const listWithdrawals = endpoint('listWithdrawals', {
  access: 'user',
  summary: "The session's withdrawals, newest first, and whether new ones are paused",
  ...inPages({ size: 50, max: 200 }),
  response: z.object({
    paused: z.boolean(),
    /** The part of the next withdrawals that was paid already (R97); null if nothing was. */
    prepaid: z.object({ snaps: z.int(), digest: z.string() }).nullable(),
    withdrawals: z.array(Withdrawal),
  }),
});

/**
 * Why a wallet does not qualify for a payout (R79). standing: its votes are not verified · days_held: it held enough SUI on too few of the last 35 days
 * that the site read · excluded_votes: some of its votes are excluded · limit: the rule has approved its most of 30 days ·
 * paused, books: withdrawals are paused, or the daily check of the books did not pass.
 */
export const MISSING = ['standing', 'days_held', 'excluded_votes', 'limit', 'paused', 'books'] as const;
export type Missing = (typeof MISSING)[number];

export const WithdrawalTerms = z.object({
  waits: Waits,
  /** The rule that approves withdrawals without a person; null if a person approves each. */
  automatic: z
    .object({
      maxSnaps: z.int(),
      leftSnaps: z.int(),
      isPaid: z.boolean(),
    })
    .nullable(),
  /** Terms that the wallet does not meet; empty if it qualifies. Without a rule, a person who approves looks at these first. */
  missing: z.array(z.enum(MISSING)),
});
export type WithdrawalTerms = z.output<typeof WithdrawalTerms>;

export const getWithdrawalTerms = endpoint('getWithdrawalTerms', {
  access: 'user',
  summary:
    "How long payouts take, and whether the session's wallet qualifies for one without a person, or what is missing",
  response: WithdrawalTerms,
});
