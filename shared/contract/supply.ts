import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Time } from './types.ts';

/** How long withdrawals took from the request to the payment, over the last 30 days, and how long open ones wait (R79). */
export const Waits = z.object({
  /** Withdrawals paid in these days. */
  paid: z.int(),
  /** Null where none was paid. */
  medianSeconds: z.number().nullable(),
  longestSeconds: z.number().nullable(),
  /** Withdrawals that are neither paid nor rejected, and the age of the oldest. */
  open: z.int(),
  oldestOpenSeconds: z.number().nullable(),
});
export type Waits = z.output<typeof Waits>;

/**
 * All Snaps ever issued, from the ledger, in one snapshot: issued = burned + held + paid + circulating. Next to it, the
 * balances that users see and spend, which are stored apart from the ledger and must add up to the same.
 */
export const Supply = z.object({
  /** Earned by votes, ten by each, or granted. */
  issued: z.int(),
  /** The part of `issued` that the site granted without a vote: none, except in the demo. */
  granted: z.int(),
  /** Destroyed by reviews. */
  burned: z.int(),
  /** Taken from balances by withdrawals that are not settled yet. */
  held: z.int(),
  /** Sent to wallets. */
  paid: z.int(),
  /** Issued and neither burned, held nor paid, by the ledger. */
  circulating: z.int(),
  /** The sum of the balances that users see; equals `circulating`. */
  balances: z.int(),
  /** Users whose balance is not the sum of their ledger entries; 0. */
  differing: z.int(),
  /** Total owed: circulating and held. */
  liabilities: z.int(),
  /** Users who hold tokens. */
  holders: z.int(),
  /** Rows of the ledger behind these numbers. */
  entries: z.int(),
  /** Absent on sites of an earlier release. */
  waits: Waits.optional(),
  asOf: Time,
});
export type Supply = z.output<typeof Supply>;

export const getSupply = endpoint('getSupply', {
  access: 'public',
  summary: 'Proof of liabilities: Snaps issued, burned, held, paid, and in circulation',
  response: Supply,
});
