import type { Move } from './move.ts';

/** requested: waits for the admin · approved: waits for a payout · paid: the Book has reached its mark · rejected: the Snaps are back on the balance. */
export const WITHDRAWAL_STATES = ['requested', 'approved', 'paid', 'rejected'] as const;
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];

export const WITHDRAWAL_MOVES = {
  approve: { from: ['requested'], to: 'approved', by: 'admin' },
  reject: { from: ['requested', 'approved'], to: 'rejected', by: 'admin' },
  /** The Book's total of the wallet has reached the mark; without a coin, the admin's word. */
  pay: { from: ['approved'], to: 'paid', by: 'chain' },
} as const satisfies Record<string, Move<WithdrawalState>>;
