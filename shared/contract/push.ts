import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { PUSH_BROWSERS_PER_USER, PUSH_KINDS, PUSH_TESTS_PER_HOUR } from '../people/push-kinds.ts';
import { IdParam, Ok } from './types.ts';

export const PushChoice = z.object({
  /** Public VAPID key in base64url; null: this site sends none. */
  publicKey: z.string().nullable(),
  kinds: z.array(z.enum(PUSH_KINDS)),
  /** Whether the browser of this session gets messages. */
  isOnHere: z.boolean(),
  browsers: z.int(),
  /** Where this session's browser gets them, even while it has to renew its subscription. */
  endpoint: z.string().nullable(),
});
export type PushChoice = z.output<typeof PushChoice>;

export const getPush = endpoint('getPush', {
  access: 'self',
  summary: 'Kinds of push messages that the user picked, and the browsers that get them',
  params: IdParam,
  response: PushChoice,
});

export const choosePush = endpoint('choosePush', {
  access: 'self',
  summary: 'Pick the kinds of push messages',
  params: IdParam,
  body: z.object({ kinds: z.array(z.enum(PUSH_KINDS)).max(PUSH_KINDS.length) }),
  response: PushChoice,
});

export const endPush = endpoint('endPush', {
  access: 'self',
  summary: 'End all push messages: no kind is picked, and no browser gets any',
  params: IdParam,
  response: PushChoice,
});

const PushSubscription = z.object({
  endpoint: z.string().min(10).max(1_000),
  keys: z.object({
    /** The browser's public key on P-256, uncompressed, in base64url. */
    p256dh: z.string().max(100),
    auth: z.string().max(30),
  }),
});
export type PushSubscription = z.output<typeof PushSubscription>;

export const subscribePush = endpoint('subscribePush', {
  access: 'self',
  summary: `Send push messages to the browser of this session, until it signs out; ${PUSH_BROWSERS_PER_USER} browsers of a user at most, then the oldest ends`,
  params: IdParam,
  body: PushSubscription,
  statuses: { 409: 'This site sends no push messages' },
  response: PushChoice,
});

export const endPushHere = endpoint('endPushHere', {
  access: 'self',
  summary: 'End push messages to the browser of this session',
  params: IdParam,
  response: PushChoice,
});

export const renewPush = endpoint('renewPush', {
  access: 'user',
  summary: 'Replace the subscription of the browser of this session, if it has one',
  body: PushSubscription,
  statuses: { 409: 'This site sends no push messages' },
  response: Ok,
});

export const testPush = endpoint('testPush', {
  access: 'self',
  summary: `Send a test message to the browser of this session, ${PUSH_TESTS_PER_HOUR} an hour at most`,
  params: IdParam,
  statuses: {
    409: 'This browser gets no push messages, or its push service has ended the subscription',
    429: 'The hourly limit is reached, or the push service asks to wait',
    503: 'The push service does not accept messages now',
  },
  response: Ok,
});
