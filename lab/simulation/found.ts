/**
 * Findings of the search at its fixed seed: committed (found.json), played by a test with the server's statements, and
 * made again by `npm run simulate -- --search --write`.
 */
import type { Aim, WalletPlan } from './model.ts';
import type { Found, SearchOptions } from './search.ts';

const SEED = 2;

/** One coin shows most holes at once; two and six are what fits 18 of 63 and six of seven days; ten are in the table. */
export const SEARCHES: readonly SearchOptions[] = [
  { aim: 'atOnce', coins: 1, wallets: 4, seed: SEED, candidates: 200_000 },
  { aim: 'atOnce', coins: 6, wallets: 10, seed: SEED, candidates: 400_000 },
  { aim: 'atOnce', coins: 10, wallets: 15, seed: SEED, candidates: 400_000 },
  { aim: 'forGood', coins: 2, wallets: 8, seed: SEED, candidates: 1_000_000 },
  { aim: 'payout', coins: 2, wallets: 8, seed: SEED, candidates: 1_000_000 },
];

interface StoredPlan extends Omit<WalletPlan, 'held'> {
  held: string;
}

export interface StoredFound {
  aim: Aim;
  coins: number;
  wallets: number;
  plans: StoredPlan[];
}

export const toPlan = ({ held, ...plan }: StoredPlan): WalletPlan => ({ ...plan, held: Uint8Array.from(held, Number) });

/** The plans as they are committed: the days of votes on one line. */
export function foundJson(found: readonly Found[]): string {
  const stored = found.map(({ plans, ...rest }) => ({
    ...rest,
    plans: plans.map(({ held, ...plan }) => ({ ...plan, held: held.join('') })),
  }));
  return `${JSON.stringify(stored, null, 2).replaceAll(/\[[\d,\s]+\]/g, (days) => JSON.stringify(JSON.parse(days)).replaceAll(',', ', '))}\n`;
}
