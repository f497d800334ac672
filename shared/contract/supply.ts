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

/** Coins on chain that can pay owed Snaps (R84), and what was paid with them; all amounts in whole Snaps. */
export const Reserves = z.object({
  coinType: z.string(),
  /** At most a minute old. While the node does not respond the last reading, and null after an hour. */
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
      /** Snaps that each Book has paid (R42); null if the node has no such Book. */
      books: z.array(z.object({ id: z.string(), paid: z.int().nullable() })),
      /** Paid through Books by the site's own books, and by how much the Books are ahead: of the last moments, or since a restore. */
      known: z.int(),
      ahead: z.int().nullable(),
      isRestored: z.boolean(),
      asOf: Time,
    })
    .nullable(),
});
export type Reserves = z.output<typeof Reserves>;

/**
 * All Snaps ever issued, by the ledger at the end of the last closed day: issued = burned + held + paid + circulating. Next to it, the
 * balances that users see and spend, which are stored apart from the ledger and must add up to the same.
 */
export const Supply = z.object({
  /** Null before the first closed day. */
  day: z.string().nullable(),
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
  /** Circulating and held: owed by the site's books. */
  liabilities: z.int(),
  /** Snaps of recorded votes that a restore took out of the books: owed as well. */
  lost: z.int(),
  /** Snaps of recorded payouts by hand that a restore took out of the books: not owed. */
  ahead: z.int(),
  holders: z.int(),
  entries: z.int(),
  waits: Waits.optional(),
  /** Null if the site pays by hand, without a coin. */
  reserves: Reserves.nullable().optional(),
});
export type Supply = z.output<typeof Supply>;

export const getSupply = endpoint('getSupply', {
  access: 'public',
  summary: 'Snaps issued, burned, held, paid, and in circulation, and what covers them',
  response: Supply,
});
