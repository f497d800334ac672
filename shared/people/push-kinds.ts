import type { NoticeKind } from './notice-kinds.ts';

/** Kinds of push messages that a user picks (R78). None is picked for a new user. */
export const PUSH_KINDS = ['money', 'project', 'votes_back'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** The kind that is sent as it happens. Of the others together a user gets one message per UTC day at most. */
export const UNLIMITED_PUSH_KIND: PushKind = 'money';

/** Push kind of each notice of the bell; null: the bell alone. */
export const PUSH_OF_NOTICE: Readonly<Record<NoticeKind, PushKind | null>> = {
  review: 'project',
  reply: 'money',
  expiry: 'project',
  listing_changed: 'project',
  name_review: 'project',
  vote_excluded: 'project',
  turned: 'project',
  payout_paid: 'money',
  payout_rejected: 'money',
  payout_failed: 'money',
  listing_hidden: 'money',
  text_hidden: null,
  appeal_answered: 'money',
  report_resolved: null,
};

export const PUSH_BROWSERS_PER_USER = 5;
export const PUSH_MESSAGES_PER_DAY = 20;
export const PUSH_TESTS_PER_HOUR = 10;

export interface PushPayload {
  title: string;
  body: string;
  link: string;
  /** A later notification of the same tag replaces an earlier one. */
  tag: string;
}
