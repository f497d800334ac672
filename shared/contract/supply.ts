import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Time } from './types.ts';

/** How long withdrawals took from the request to the payment, over the last 30 days, and how long open ones wait (R79). */
export const Waits = z.object({
  paid: z.int(),
  medianSeconds: z.number().nullable(),
  longestSeconds: z.number().nullable(),
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
  granted: z.int(),
  burned: z.int(),
  held: z.int(),
  paid: z.int(),
  /** Issued and neither burned, held nor paid, by the ledger. */
  circulating: z.int(),
  /** The sum of the balances that users see, by the last check of all of them and what moved since; equals `circulating`. */
  balances: z.int(),
  differing: z.int(),
  /** The last check of each balance against its ledger entries; null before the first. */
  checkedAt: Time.nullable(),
  liabilities: z.int(),
  holders: z.int(),
  entries: z.int(),
  waits: Waits.optional(),
  /** The same when the newest proof of liabilities was made, by the log's size; null without a record. */
  recorded: z.object({ size: z.int(), issued: z.int(), granted: z.int(), burned: z.int(), paid: z.int() }).nullable(),
  asOf: Time,
});
export type Supply = z.output<typeof Supply>;

export const getSupply = endpoint('getSupply', {
  access: 'public',
  summary: 'Proof of liabilities: Snaps issued, burned, held, paid, and in circulation',
  response: Supply,
});
