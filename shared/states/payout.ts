import type { Move } from './move.ts';

/** prepared: its withdrawals are fixed · sent: a transaction is known · paid, failed: what the chain says · cancelled: never sent. */
export const PAYOUT_STATES = ['prepared', 'sent', 'paid', 'failed', 'cancelled'] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

export const PAYOUT_MOVES = {
  send: { from: ['prepared'], to: 'sent', by: 'admin' },
  adopt: { from: ['prepared'], to: 'sent', by: 'chain' },
  cancel: { from: ['prepared'], to: 'cancelled', by: 'admin' },
  pay: { from: ['sent'], to: 'paid', by: 'chain' },
  /** It paid no withdrawal, or not all. */
  fail: { from: ['sent'], to: 'failed', by: 'chain' },
  /** It was given up as never executed, and was then executed. */
  revive: { from: ['failed'], to: 'sent', by: 'chain' },
} as const satisfies Record<string, Move<PayoutState>>;
