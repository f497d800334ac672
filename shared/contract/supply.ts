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

const MINTERS = ['address', 'shared', 'burnt', 'wrapped', 'none'] as const;

/** Coins on chain that can pay owed Snaps (R84); all amounts in whole Snaps. */
export const Reserves = z.object({
  coinType: z.string(),
  /** At most a minute old; while the node does not respond the last one, and null an hour later. */
  reading: z
    .object({
      wallets: z.array(z.object({ role: z.enum(['payout', 'admin']), address: z.string(), held: z.int() })),
      held: z.int(),
      /**
       * address: its holder mints · shared: anyone · burnt: not anyone · wrapped: within another object, or destroyed · none: no
       * node knows a TreasuryCap.
       */
      minter: z.object({
        state: z.enum(MINTERS),
        address: z.string().nullable(),
        treasuryCap: z.string().nullable(),
      }),
      asOf: Time,
    })
    .nullable(),
});
export type Reserves = z.output<typeof Reserves>;

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
  /** Null where the site pays by hand, without a coin. */
  reserves: Reserves.nullable().optional(),
  asOf: Time,
});
export type Supply = z.output<typeof Supply>;

export const getSupply = endpoint('getSupply', {
  access: 'public',
  summary: 'Proof of liabilities: Snaps issued, burned, held, paid, and in circulation',
  response: Supply,
});
