/** Kinds of notices in the app (R51): events about a user's content while the user was away. */
export const NOTICE_KINDS = [
  'review',
  'reply',
  'expiry',
  'payout_paid',
  'appeal_answered',
  'report_resolved',
  'listing_changed',
  'payout_rejected',
  'payout_failed',
  'listing_hidden',
  'text_hidden',
  'name_review',
  'vote_excluded',
  'turned',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/**
 * Interval at which the bell reads; it also reads when the user goes to another page, opens it, or returns to the tab.
 */
export const POLL_NOTICES_MS = 60_000;
