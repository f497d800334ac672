import type { Move } from './move.ts';

/**
 * draft: stored, not paid · signed: a transaction is known, its outcome on chain is not · paid: on chain, not fulfilled yet ·
 * fulfilled: done · failed: nothing was paid for it · expired: never signed in time · unclaimed: paid but cannot be
 * fulfilled; the admin decides · refunded: the admin sent it back.
 */
export const PAYMENT_STATES = [
  'draft',
  'signed',
  'paid',
  'fulfilled',
  'failed',
  'expired',
  'unclaimed',
  'refunded',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** Every state change of a payment. */
export const PAYMENT_MOVES = {
  /** A signed transaction arrived, to be executed by the server. */
  sign: { from: ['draft'], to: 'signed', by: 'payer' },
  /**
   * A wallet that signs and sends in one step named its transaction; the money may have moved after the draft's time
   * was over.
   */
  claim: { from: ['draft', 'expired'], to: 'signed', by: 'payer' },
  cancel: { from: ['draft'], to: 'expired', by: 'payer' },
  expire: { from: ['draft'], to: 'expired', by: 'server' },
  /** The transaction pays the order. One node's word that it failed may be wrong, so failed payments are looked up again. */
  confirm: { from: ['signed', 'failed'], to: 'paid', by: 'chain' },
  mismatch: { from: ['signed', 'failed'], to: 'unclaimed', by: 'chain' },
  fail: { from: ['signed'], to: 'failed', by: 'chain' },
  fulfil: { from: ['paid'], to: 'fulfilled', by: 'server' },
  /** The order can no longer be applied. */
  escalate: { from: ['paid'], to: 'unclaimed', by: 'server' },
  credit: { from: ['unclaimed'], to: 'fulfilled', by: 'admin' },
  refund: { from: ['unclaimed'], to: 'refunded', by: 'admin' },
  /** The fee of a listing that was taken over (R72), or of a hidden one whose owner has appealed (R80) or whose name looked like another one (R74). */
  refundListing: { from: ['fulfilled'], to: 'refunded', by: 'admin' },
} as const satisfies Record<string, Move<PaymentState>>;
