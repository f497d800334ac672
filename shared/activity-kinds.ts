/**
 * Kinds of lines on a user's activity list (R36): confirmed changes of money and tokens, and content that the admin hid
 * or set aside.
 */
export const ACTIVITY_KINDS = [
  'review_posted',
  'withdrawal_requested',
  'withdrawal_approved',
  'withdrawal_paid',
  'withdrawal_rejected',
  'withdrawal_failed',
  'project_submitted',
  'project_updated',
  'project_renewed',
  'payment_waiting',
  'payment_unclaimed',
  'payment_refunded',
  'project_hidden',
  'project_unhidden',
  'review_hidden',
  'review_unhidden',
  'reply_hidden',
  'reply_unhidden',
  'vote_set_aside',
  'vote_restored',
  'appeal_answered',
] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
