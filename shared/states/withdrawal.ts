import type { Move } from './move.ts';

/**
 * requested: waits for the admin · approved: waits for a payout · sending: in a payout batch · paid: done · failed: its payout did
 * not pay it, the admin decides again · rejected: the tokens are back on the balance.
 */
export const WITHDRAWAL_STATES = ['requested', 'approved', 'sending', 'paid', 'failed', 'rejected'] as const;
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number];

export const WITHDRAWAL_MOVES = {
  approve: { from: ['requested', 'failed'], to: 'approved', by: 'admin' },
  reject: { from: ['requested', 'approved', 'failed'], to: 'rejected', by: 'admin' },
  batch: { from: ['approved'], to: 'sending', by: 'admin' },
  unbatch: { from: ['sending'], to: 'approved', by: 'admin' },
  pay: { from: ['sending'], to: 'paid', by: 'chain' },
  fail: { from: ['sending'], to: 'failed', by: 'chain' },
  /** The chain rejected the transaction: it may be paid again immediately. */
  release: { from: ['sending'], to: 'approved', by: 'chain' },
  /** A transaction found on the chain has paid it, whatever its state. */
  adopt: { from: ['requested', 'approved', 'failed'], to: 'sending', by: 'chain' },
  /** A payout that was given up was then executed. */
  revive: { from: ['approved', 'failed'], to: 'sending', by: 'chain' },
} as const satisfies Record<string, Move<WithdrawalState>>;
