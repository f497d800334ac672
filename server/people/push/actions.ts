import { useAllowance, waitForAllowance } from '#db/user-allowances.ts';
import { withUserLock } from '#db/user-lock.ts';
import type { PushChoice, PushSubscription } from '#shared/contract/push.ts';
import { PUSH_BROWSERS_PER_USER, PUSH_TESTS_PER_HOUR } from '#shared/people/push-kinds.ts';
import { conflict, tooMany, unauthorized, unavailable } from '#server/kit/http/errors.ts';
import type { SessionUser } from '#server/kit/http/session.ts';
import type { Services } from '#server/kit/services.ts';
import { deliver } from './deliver.ts';
import { readSubscription } from './endpoint.ts';
import { deleteSubscription, findSubscription, readChoice, storeSubscription } from './queries.ts';

export async function describeChoice(
  { db, config }: Services,
  { userId, tokenHash }: SessionUser,
): Promise<PushChoice> {
  const publicKey = config.pushKey?.publicKey ?? null;
  const siteKey = publicKey === null ? null : Buffer.from(publicKey, 'base64url');
  return { publicKey, ...(await readChoice(db, userId, tokenHash, siteKey)) };
}

/** @throws 400 for a subscription that cannot be used, 409 where the site sends no messages */
export async function subscribe(
  { db, config }: Services,
  { userId, tokenHash }: SessionUser,
  sent: PushSubscription,
): Promise<void> {
  if (config.pushKey === null) throw conflict('push_off', 'This site sends no notifications');
  const subscription = readSubscription(config, sent);
  const isStored = await withUserLock(db, userId, (trx) =>
    storeSubscription(trx, userId, tokenHash, subscription, PUSH_BROWSERS_PER_USER),
  );
  if (!isStored) throw unauthorized('not_signed_in', 'User not logged in');
}

/** Stores the subscription with which a browser replaced its own while no page was open; sessions without one get none. */
export async function renew(services: Services, session: SessionUser, sent: PushSubscription): Promise<void> {
  if (await findSubscription(services.db, session.tokenHash)) await subscribe(services, session, sent);
}

const TESTS = { kind: 'push_tests', most: PUSH_TESTS_PER_HOUR, seconds: 3_600 } as const;
const TEST_TTL_S = 600;
const GONE = 'This browser gets no notifications any longer. Turn them on again.';

export async function sendTest({ db, config, log }: Services, { userId, tokenHash }: SessionUser): Promise<void> {
  const subscription = await findSubscription(db, tokenHash);
  if (!subscription) throw conflict('not_subscribed', 'Turn notifications on in this browser first');
  const isAllowed = await withUserLock(db, userId, (trx) => useAllowance(trx, userId, TESTS, 1));
  if (!isAllowed)
    throw tooMany(
      'push_tests',
      'That was enough tests for this hour. Try again later.',
      Math.max(1, await waitForAllowance(db, userId, TESTS)),
    );
  const payload = { title: 'Snapswipe', body: 'Notifications work in this browser.', link: '/profile', tag: 'test' };
  const delivery = await deliver(config, subscription, { payload, ttlS: TEST_TTL_S, topic: 'test' });
  if (delivery.result === 'sent') return;
  if (delivery.result === 'gone' || delivery.result === 'rejected') {
    if (delivery.result === 'rejected') log.warn({ reason: delivery.reason }, 'a push service rejects this site');
    await deleteSubscription(db, subscription.id);
    throw conflict('push_gone', GONE);
  }
  log.warn({ reason: delivery.reason }, 'a test message was not sent');
  if (delivery.result === 'failed' && delivery.retryAfterS !== null)
    throw tooMany('push_service_busy', 'The push service of this browser asks to wait.', delivery.retryAfterS);
  if (delivery.result === 'refused')
    throw conflict('push_refused', 'The push service of this browser does not take messages of this site.');
  throw unavailable('push_failed', 'The push service of this browser did not accept the message. Try again later.', 60);
}
