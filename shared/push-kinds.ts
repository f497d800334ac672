import type { NoticeKind } from './notice-kinds.ts';

/** Kinds of push messages that a user picks (R78). None is picked for a new user. */
export const PUSH_KINDS = ['votes_back', 'streak', 'project', 'review', 'reply', 'appeal', 'money'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** Kinds that are sent as they happen. Of all others together a user gets one message per UTC day at most. */
export const UNLIMITED_PUSH_KINDS: readonly PushKind[] = ['reply', 'appeal', 'money'];

/** Push kind of each notice of the bell; null: the bell alone. */
export const PUSH_OF_NOTICE: Readonly<Record<NoticeKind, PushKind | null>> = {
  review: 'review',
  reply: 'reply',
  expiry: 'project',
  listing_changed: 'project',
  name_review: 'project',
  payout_paid: 'money',
  payout_rejected: 'money',
  payout_failed: 'money',
  listing_hidden: 'money',
  text_hidden: null,
  appeal_answered: 'appeal',
  report_resolved: null,
};

/** Browsers of one user that get messages. */
export const PUSH_BROWSERS_PER_USER = 5;
/** Messages to one browser per day, whatever their kind. */
export const PUSH_MESSAGES_PER_DAY = 20;
/** Test messages of one user per hour. */
export const PUSH_TESTS_PER_HOUR = 10;
/** Time of the day from which a streak that ends at midnight UTC is announced. */
export const STREAK_REMINDER_FROM_HOUR_UTC = 18;

/** Content of a message, as the service worker reads it. */
export interface PushPayload {
  title: string;
  body: string;
  /** Path of the page that a press opens. */
  link: string;
  /** A later notification of the same tag takes its place. */
  tag: string;
}
