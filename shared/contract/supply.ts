import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Time } from './types.ts';

/** Every token there ever was, from the ledger, in one snapshot: issued = burned + held + paid + circulating. */
export const Supply = z.object({
  /** Earned by votes, in all. */
  issued: z.int(),
  /** Destroyed by reviews. */
  burned: z.int(),
  /** Taken from balances by withdrawals that are not settled yet. */
  held: z.int(),
  /** Sent to wallets. */
  paid: z.int(),
  /** In the balances of users. */
  circulating: z.int(),
  /** What is owed: circulating and held. */
  liabilities: z.int(),
  /** Users who hold tokens. */
  holders: z.int(),
  /** Rows of the ledger behind these numbers. */
  entries: z.int(),
  asOf: Time,
});
export type Supply = z.output<typeof Supply>;

export const getSupply = endpoint({
  method: 'GET',
  path: '/api/supply',
  access: 'public',
  summary: 'Proof of liabilities: tokens issued, burned, held, paid and in circulation',
  answer: Supply,
});
