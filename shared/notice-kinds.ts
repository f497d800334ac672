/** Kinds of notices in the app (R51): what happened to a user's things while the user was away. */
export const NOTICE_KINDS = ['review', 'reply', 'expiry', 'payout_paid', 'appeal_answered', 'report_resolved'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
