/** Kinds of notices in the app (R51): what happened to a user's things while the user was away. */
export const NOTICE_KINDS = ['review', 'reply', 'expiry', 'payout_paid', 'appeal_answered', 'report_resolved'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The bell reads so often; also when the user goes to another page, opens it, or comes back to the tab. */
export const POLL_NOTICES_MS = 60_000;
