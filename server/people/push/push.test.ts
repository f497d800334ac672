import { createECDH, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { PushChoice } from '#shared/contract/push.ts';
import { NOTICE_KINDS, type NoticeKind } from '#shared/people/notice-kinds.ts';
import {
  PUSH_BROWSERS_PER_USER,
  PUSH_KINDS,
  PUSH_MESSAGES_PER_DAY,
  PUSH_OF_NOTICE,
  PUSH_TESTS_PER_HOUR,
  type PushKind,
} from '#shared/people/push-kinds.ts';
import { decryptPush, newPushBrowser, type PushBrowser, verifyVapid } from '#lab/push/browser.ts';
import { createTestApp, startServer } from '#lab/testing/app.ts';
import { newUser, type TestUser, secondDevice } from '#lab/testing/client.ts';
import { deleteAccount } from '#lab/testing/deletion.ts';
import { startPushService } from '#lab/push/service.ts';
import { readConfig } from '#server/kit/config.ts';
import { knownEndpoint } from './endpoint.ts';
import { storeSubscription } from './queries.ts';
import { remind } from './remind.ts';
import { sendPush } from './send.ts';
import { recordNotices } from '#server/books/notices.ts';

const service = await startPushService();
afterAll(() => service.stop());
const KEY = randomBytes(32);
const env = {
  PUSH_PRIVATE_KEY: KEY.toString('base64'),
  PUSH_HOSTS: `${service.origin}, fcm.googleapis.com, *.push.apple.com, localhost.test`,
};
const server = await createTestApp({ env });
const { db } = server.services;
const send = () => sendPush(server.services);

const choose = (user: TestUser, kinds: readonly string[]) =>
  user.send<PushChoice>('PUT', `/api/users/${user.id}/push`, { kinds });
const subscribe = (user: TestUser, { subscription }: Pick<PushBrowser, 'subscription'>) =>
  user.post(`/api/users/${user.id}/push/subscription`, subscription);
const readChoice = async (user: TestUser) => (await user.get<PushChoice>(`/api/users/${user.id}/push`)).body;
const sendTest = (user: TestUser) => user.post(`/api/users/${user.id}/push/test`);

/** A user with a browser that gets messages of these kinds. */
async function newReader(kinds: readonly PushKind[] = PUSH_KINDS): Promise<{ user: TestUser; browser: PushBrowser }> {
  const user = await newUser(server);
  const browser = newPushBrowser(service.origin);
  expect(await choose(user, kinds)).toMatchObject({ status: 200, body: { kinds } });
  expect(await subscribe(user, browser)).toMatchObject({ status: 200, body: { isOnHere: true } });
  return { user, browser };
}

const notice = (userId: number, kind: NoticeKind, text: string) =>
  recordNotices(db, { userId, kind, text, link: '/portfolio' });
/** Texts that a browser has got. */
const textsOf = (browser: PushBrowser): string[] =>
  service.received(browser.subscription.endpoint).map(({ body }) => decryptPush(browser, body).body);
const attemptsOf = (browser: PushBrowser): number => service.received(browser.subscription.endpoint).length;
/** The messages that wait are due now. */
const makeDue = () => sql`UPDATE push_messages SET due_at = now() WHERE due_at IS NOT NULL`.execute(db);
const waitingFor = async (user: TestUser): Promise<Array<{ attempts: number; waitS: number }>> =>
  (
    await sql<{ attempts: number; waitS: number }>`
      SELECT attempts, round(extract(epoch FROM due_at - now()))::int AS "waitS" FROM push_messages
      WHERE user_id = ${user.id} AND due_at IS NOT NULL ORDER BY id`.execute(db)
  ).rows;

describe('messages [R78]', () => {
  test('a message reaches only its browser, encrypted by RFC 8291 and signed by RFC 8292 [R78]', async () => {
    const { user, browser } = await newReader();
    await notice(user.id, 'payout_paid', 'Withdrawal of 60 Snaps paid — to your wallet');
    await send();
    const [received, ...more] = service.received(browser.subscription.endpoint);
    expect(more).toEqual([]);
    expect(received?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: expect.stringMatching(/^86\d{3}$/),
      // Says nothing about how many messages the site has sent.
      topic: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(decryptPush(browser, received?.body ?? '')).toEqual({
      title: 'Snaps and answers',
      body: 'Withdrawal of 60 Snaps paid — to your wallet',
      link: '/portfolio',
      tag: received?.headers['topic'],
    });
    const { claims, publicKey } = verifyVapid(received?.headers.authorization);
    expect(claims).toMatchObject({ aud: service.origin, sub: 'https://snapswipe.test' });
    const ahead = claims.exp - Date.now() / 1_000;
    expect([ahead > 0, ahead <= 24 * 3_600]).toEqual([true, true]);
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(KEY);
    expect(publicKey).toBe(pair.getPublicKey('base64url'));
    expect((await readChoice(user)).publicKey).toBe(publicKey);
    const other = newPushBrowser(service.origin);
    expect(() => decryptPush(other, received?.body ?? '')).toThrow('unable to authenticate');
  });

  test.each(NOTICE_KINDS)('a notice of %s is sent only to users who picked its kind [R78 R91]', async (kind) => {
    const picked = PUSH_OF_NOTICE[kind];
    const [eager, quiet] = await Promise.all([
      newReader(PUSH_KINDS.filter((one) => one === picked)),
      newReader(PUSH_KINDS.filter((one) => one !== picked)),
    ]);
    for (const { user } of [eager, quiet]) await notice(user.id, kind, `A notice of ${kind}`);
    await send();
    expect([eager, quiet].map(({ browser }) => textsOf(browser))).toEqual([picked ? [`A notice of ${kind}`] : [], []]);
  });

  test('reviews and turns are messages about projects, and the end of a report is shown under the bell only [R78 R91]', () => {
    expect(PUSH_OF_NOTICE).toMatchObject({ review: 'project', turned: 'project', report_resolved: null });
  });

  test('a browser gets one message a day, besides money and answers, and 20 in all [R78]', async () => {
    const { user, browser } = await newReader();
    for (const text of ['Review 1', 'Review 2']) await notice(user.id, 'review', text);
    for (const text of ['Reply 1', 'Reply 2']) await notice(user.id, 'reply', text);
    await send();
    expect(textsOf(browser).sort()).toEqual(['Reply 1', 'Reply 2', 'Review 1']);
    await sql`UPDATE push_settings SET daily_on = daily_on - 1 WHERE user_id = ${user.id}`.execute(db);
    await notice(user.id, 'review', 'Review of the next day');
    for (let each = 0; each < PUSH_MESSAGES_PER_DAY; each += 1) await notice(user.id, 'reply', 'Once more');
    await send();
    expect(textsOf(browser)).toContain('Review of the next day');
    expect(attemptsOf(browser)).toBe(PUSH_MESSAGES_PER_DAY);
    await sql`UPDATE push_messages SET created_at = created_at - interval '25 hours' WHERE user_id = ${user.id}`.execute(
      db,
    );
    await send();
    await notice(user.id, 'reply', 'Of the next day');
    await send();
    expect(textsOf(browser)).toContain('Of the next day');
  });

  test('several servers at the same time send each message once [R78]', async () => {
    const other = await startServer(server.databaseUrl, { env });
    try {
      const readers = await Promise.all(Array.from({ length: 8 }, () => newReader()));
      await recordNotices(
        db,
        ...readers.map(({ user }) => ({ userId: user.id, kind: 'reply' as const, text: 'To all', link: '/' })),
      );
      await Promise.all([send(), sendPush(other.services), send()]);
      expect(readers.map(({ browser }) => textsOf(browser))).toEqual(readers.map(() => ['To all']));
    } finally {
      await other.close();
    }
  });

  test('a message is not sent once its event was taken back [R78]', async () => {
    const { user, browser } = await newReader();
    const { takeBackNotices } = await import('#server/books/notices.ts');
    await notice(user.id, 'reply', 'Taken back');
    await takeBackNotices(db, user.id, 'reply', '/portfolio');
    await send();
    expect(textsOf(browser)).toEqual([]);
  });
});

describe('push services [R78]', () => {
  test.each([404, 410])('a push service that responds with %i ends the subscription', async (status) => {
    const { user, browser } = await newReader();
    service.respond(browser.subscription.endpoint, { status });
    await notice(user.id, 'reply', 'To no one');
    await send();
    expect(await readChoice(user)).toMatchObject({ isOnHere: false, browsers: 0, kinds: [...PUSH_KINDS] });
    await notice(user.id, 'reply', 'To no one');
    await send();
    expect(attemptsOf(browser)).toBe(1);
  });

  test.each([400, 401, 403, 301])(
    'a push service that rejects the site with %i gets nothing more until the browser renews its subscription',
    async (status) => {
      const { user, browser } = await newReader();
      const { endpoint } = browser.subscription;
      service.respond(endpoint, { status, headers: { location: `${service.origin}/push/elsewhere` } });
      for (const text of ['Rejected', 'Only in the bell']) {
        await notice(user.id, 'reply', text);
        await send();
      }
      expect(attemptsOf(browser)).toBe(1);
      expect(await readChoice(user)).toMatchObject({ isOnHere: false, browsers: 0, endpoint });
      service.respond(endpoint, { status: 201 });
      expect(await user.post('/api/push/renewal', browser.subscription)).toMatchObject({ status: 200 });
      expect(await readChoice(user)).toMatchObject({ isOnHere: true, browsers: 1 });
      await notice(user.id, 'reply', 'Accepted');
      await send();
      expect(textsOf(browser)).toEqual(['Rejected', 'Accepted']);
      expect(service.received(`${service.origin}/push/elsewhere`)).toEqual([]);
    },
  );

  test('a subscription made with another key of the site is off, gets nothing, and works again once it is renewed', async () => {
    const { user, browser } = await newReader();
    const pair = createECDH('prime256v1');
    await sql`UPDATE push_subscriptions SET site_key = ${pair.generateKeys()} WHERE user_id = ${user.id}`.execute(db);
    const { endpoint } = browser.subscription;
    expect(await readChoice(user)).toMatchObject({ isOnHere: false, browsers: 0, endpoint });
    await notice(user.id, 'reply', 'By the new key');
    await send();
    expect(attemptsOf(browser)).toBe(0);
    await subscribe(user, browser);
    await notice(user.id, 'reply', 'Renewed');
    await send();
    expect(textsOf(browser)).toEqual(['Renewed']);
  });

  test.each([413])('a push service that responds with %i gets this message once, and the next one', async (status) => {
    const { user, browser } = await newReader();
    service.respond(browser.subscription.endpoint, {
      status,
      headers: { location: `${service.origin}/push/elsewhere` },
    });
    await notice(user.id, 'reply', 'Refused');
    await send();
    await makeDue();
    await send();
    expect(attemptsOf(browser)).toBe(1);
    service.respond(browser.subscription.endpoint, { status: 201 });
    await notice(user.id, 'reply', 'Accepted');
    await send();
    expect(textsOf(browser)).toEqual(['Refused', 'Accepted']);
    expect(service.received(`${service.origin}/push/elsewhere`)).toEqual([]);
  });

  test('a push service that asks to wait gets this message again after that time', async () => {
    const [first, second] = [await newReader(), await newReader()];
    service.respond(first.browser.subscription.endpoint, { status: 429, headers: { 'retry-after': '1800' } });
    await notice(first.user.id, 'reply', 'Later');
    await send();
    expect(await waitingFor(first.user)).toEqual([{ attempts: 1, waitS: 1800 }]);
    service.respond(first.browser.subscription.endpoint, { status: 201 });
    await notice(second.user.id, 'reply', 'Of another browser');
    await send();
    expect([attemptsOf(first.browser), textsOf(second.browser)]).toEqual([1, ['Of another browser']]);
    await makeDue();
    await send();
    expect(textsOf(first.browser)).toEqual(['Later', 'Later']);
    expect(await waitingFor(first.user)).toEqual([]);
  });

  test('a push service that fails or never responds gets the message again, later each time, six times at most', async () => {
    const [failing, silent] = [await newReader(), await newReader()];
    service.respond(failing.browser.subscription.endpoint, { status: 500 });
    service.respond(silent.browser.subscription.endpoint, { status: 'never' });
    await notice(failing.user.id, 'reply', 'Once, then again');
    await notice(silent.user.id, 'reply', 'Once');
    await send();
    const waits = await waitingFor(failing.user);
    expect(await waitingFor(silent.user)).toMatchObject([{ attempts: 1 }]);
    service.respond(silent.browser.subscription.endpoint, { status: 201 });
    for (let attempt = 2; attempt <= 6; attempt += 1) {
      await makeDue();
      await send();
      waits.push(...(await waitingFor(failing.user)));
    }
    // The first wait is read after the other service's timeout.
    expect(waits.slice(1)).toEqual([120, 480, 1_920, 7_680].map((waitS, at) => ({ attempts: at + 2, waitS })));
    await makeDue();
    await send();
    expect([attemptsOf(failing.browser), attemptsOf(silent.browser)]).toEqual([6, 2]);
  });

  test('a push service gets no message that has expired', async () => {
    const { user, browser } = await newReader();
    await notice(user.id, 'reply', 'Too late');
    await sql`UPDATE push_messages SET expires_at = now() WHERE user_id = ${user.id}`.execute(db);
    await send();
    expect(attemptsOf(browser)).toBe(0);
  });
});

describe('endpoints [R78]', () => {
  test('an ended session cannot take over a browser that another session uses', async () => {
    const [{ user, browser }, other] = [await newReader(), await newUser(server)];
    const { endpoint } = browser.subscription;
    const subscription = { endpoint, publicKey: randomBytes(65), authSecret: randomBytes(16), siteKey: null };
    const isStored = await db
      .transaction()
      .execute((trx) => storeSubscription(trx, other.id, randomBytes(32), subscription, PUSH_BROWSERS_PER_USER));
    expect([isStored, (await readChoice(user)).isOnHere]).toEqual([false, true]);
  });

  test.each([
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com:8443/fcm/send/x',
    'https://user@fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com.example.org/fcm/send/x',
    'https://evil-push.apple.com.example/x',
    'https://push.apple.com/x',
    'https://.push.apple.com/x',
    'https://a..push.apple.com/x',
    'https://127.0.0.1/push',
    'https://[::1]/push',
    'https://169.254.169.254/latest',
    'http://127.0.0.1:1/push/x',
    'file:///etc/passwd',
    'not an address',
  ])('the endpoint %s is rejected: the site knows no such push service', async (endpoint) => {
    const user = await newUser(server);
    const { subscription } = newPushBrowser(service.origin);
    const response = await subscribe(user, { subscription: { ...subscription, endpoint } });
    expect(response).toMatchObject({ status: 400, body: { error: 'unknown_push_service' } });
    expect((await readChoice(user)).browsers).toBe(0);
  });

  test('an endpoint of a known push service is accepted, but not with unusable keys', async () => {
    const user = await newUser(server);
    const { subscription } = newPushBrowser(service.origin);
    const endpoint = 'https://web.push.apple.com/QK9x';
    expect((await subscribe(user, { subscription: { ...subscription, endpoint } })).status).toBe(200);
    const { pushHosts } = readConfig({
      ADMIN_WALLET: `0x${'a'.repeat(64)}`,
      ADMIN_PASSWORD: 'long enough',
      DATABASE_URL: 'postgres://localhost/x',
    });
    for (const path of ['jmt17.google.com/fcm/send/a', 'android.googleapis.com/gcm/send/a'])
      expect(knownEndpoint({ pushHosts }, `https://${path}`)).not.toBeNull();
    const notOnCurve = Buffer.alloc(65, 4).toString('base64url');
    for (const keys of [
      { ...subscription.keys, p256dh: notOnCurve },
      { ...subscription.keys, p256dh: 'AAAA' },
      { ...subscription.keys, auth: 'AAAA' },
    ])
      expect(await subscribe(user, { subscription: { ...subscription, keys } })).toMatchObject({ status: 400 });
  });

  test('an endpoint whose name leads to a private address is never connected to', async () => {
    const { user } = await newReader();
    const moved = { ...server.services, config: { ...server.services.config, pushHosts: ['localhost'] } };
    await sql`UPDATE push_subscriptions SET endpoint = 'https://localhost/x' WHERE user_id = ${user.id}`.execute(db);
    await notice(user.id, 'reply', 'To this machine');
    const lines: unknown[] = [];
    const log = { ...server.services.log, warn: (line: unknown) => void lines.push(line) };
    await sendPush({ ...moved, log: log as typeof server.services.log });
    expect(lines).toEqual([{ host: 'localhost', reason: 'localhost is not on the internet' }]);
    expect(await waitingFor(user)).toEqual([]);
  });
});

describe('subscriptions [R78]', () => {
  test('a session that has just ended does not end the subscription that another session has of its browser [R78]', async () => {
    const { user, browser } = await newReader();
    const { publicKey, authSecret } = await db
      .selectFrom('pushSubscriptions')
      .selectAll()
      .where('userId', '=', user.id)
      .executeTakeFirstOrThrow();
    const { endpoint } = browser.subscription;
    const ended = randomBytes(32);
    const stored = await db
      .transaction()
      .execute((trx) => storeSubscription(trx, user.id, ended, { endpoint, publicKey, authSecret, siteKey: null }, 5));
    expect(stored).toBe(false);
    expect(await readChoice(user)).toMatchObject({ browsers: 1, isOnHere: true });
  });

  test('a subscription ends with its session, even when another device ends it', async () => {
    const { user } = await newReader();
    const [phone, tablet] = [await secondDevice(user), await secondDevice(user)];
    for (const device of [phone, tablet]) await subscribe(device, newPushBrowser(service.origin));
    expect((await readChoice(user)).browsers).toBe(3);
    await phone.post('/api/auth/logout');
    expect((await readChoice(user)).browsers).toBe(2);
    await tablet.send('DELETE', '/api/auth/sessions?keepCurrent=true');
    expect(await readChoice(tablet)).toMatchObject({ browsers: 1, isOnHere: true });
  });

  test('a browser that ends its subscription leaves the others, and a renewal does not bring it back', async () => {
    const { user, browser } = await newReader();
    const phone = await secondDevice(user);
    await subscribe(phone, newPushBrowser(service.origin));
    const { body } = await user.send<PushChoice>('DELETE', `/api/users/${user.id}/push/subscription`);
    expect(body).toMatchObject({ isOnHere: false, endpoint: null, browsers: 1, kinds: [...PUSH_KINDS] });
    expect((await user.post('/api/push/renewal', browser.subscription)).status).toBe(200);
    expect((await readChoice(user)).endpoint).toBeNull();
  });

  test('subscriptions end with the account, or all at once with one press', async () => {
    const { user, browser } = await newReader();
    const phone = await secondDevice(user);
    await subscribe(phone, newPushBrowser(service.origin));
    await notice(user.id, 'reply', 'Waits');
    const { body } = await user.send<PushChoice>('DELETE', `/api/users/${user.id}/push`);
    expect(body).toMatchObject({ kinds: [], browsers: 0, isOnHere: false });
    await send();
    expect(attemptsOf(browser)).toBe(0);
    await choose(user, ['money']);
    await subscribe(user, browser);
    expect((await deleteAccount(user)).status).toBe(200);
    const { rows } = await sql`SELECT user_id FROM push_settings WHERE user_id = ${user.id}
      UNION ALL SELECT user_id FROM push_subscriptions WHERE user_id = ${user.id}`.execute(db);
    expect(rows).toEqual([]);
  });

  test('a browser gets messages of the user who signed in there last', async () => {
    const { user, browser } = await newReader();
    const next = await newUser(server);
    await choose(next, ['money']);
    expect((await subscribe(next, browser)).status).toBe(200);
    expect((await readChoice(user)).browsers).toBe(0);
    await notice(user.id, 'reply', 'For the person before');
    await notice(next.id, 'reply', 'For the next one');
    await send();
    expect(textsOf(browser)).toEqual(['For the next one']);
  });

  test('a user keeps at most five subscriptions, even if a thousand are sent, a hundred at a time', async () => {
    const { user } = await newReader();
    const devices = await Promise.all(Array.from({ length: PUSH_BROWSERS_PER_USER + 3 }, () => secondDevice(user)));
    await Promise.all(devices.map((device) => subscribe(device, newPushBrowser(service.origin))));
    expect(await readChoice(user)).toMatchObject({ browsers: PUSH_BROWSERS_PER_USER, isOnHere: false });
    // One session has one browser, however many it names.
    const [device = user] = devices;
    // No more connections at a time than a listening socket lets wait.
    for (let sent = 0; sent < 1_000; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => subscribe(device, newPushBrowser(service.origin))));
    expect((await readChoice(user)).browsers).toBe(PUSH_BROWSERS_PER_USER);
  });

  test('a site without a key says that it sends no messages, and rejects subscriptions', async () => {
    const off = await startServer(server.databaseUrl);
    try {
      const user = await newUser(off);
      expect((await readChoice(user)).publicKey).toBeNull();
      expect(await subscribe(user, newPushBrowser(service.origin))).toMatchObject({
        status: 409,
        body: { error: 'push_off' },
      });
      expect(await sendPush(off.services)).toBe(0);
    } finally {
      await off.close();
    }
  });
});

describe('test messages [R78]', () => {
  test('a test message is sent at once, and the response is that of the push service', async () => {
    const { user, browser } = await newReader([]);
    expect((await sendTest(user)).status).toBe(200);
    expect(textsOf(browser)).toEqual(['Notifications work in this browser.']);
    const { endpoint } = browser.subscription;
    service.respond(endpoint, { status: 429, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } });
    const busy = await sendTest(user);
    expect(busy).toMatchObject({ status: 429, body: { error: 'push_service_busy' } });
    expect(['89', '90', '91']).toContain(busy.headers.get('retry-after'));
    service.respond(endpoint, { status: 500 });
    expect(await sendTest(user)).toMatchObject({ status: 503, body: { error: 'push_failed' } });
    service.respond(endpoint, { status: 410 });
    expect(await sendTest(user)).toMatchObject({ status: 409, body: { error: 'push_gone' } });
    expect(await sendTest(user)).toMatchObject({ status: 409, body: { error: 'not_subscribed' } });
  });

  test('a user can send ten test messages an hour', async () => {
    const { user, browser } = await newReader([]);
    const statuses: number[] = [];
    for (let each = 0; each <= PUSH_TESTS_PER_HOUR; each += 1) statuses.push((await sendTest(user)).status);
    expect([statuses.slice(0, -1).every((status) => status === 200), statuses.at(-1)]).toEqual([true, 429]);
    expect(attemptsOf(browser)).toBe(PUSH_TESTS_PER_HOUR);
  });
});

const windowEnded = (user: TestUser, votes: number) =>
  sql`UPDATE user_stats SET window_votes = ${votes}, window_started_at = greatest(date_trunc('day', now(), 'UTC'), now() - interval '1 minute') - interval '6 hours'
    WHERE user_id = ${user.id}`.execute(db);

test('renewed votes are announced once to users who used all of them and asked for it [R78]', async () => {
  const [asked, had, quiet] = [await newReader(['votes_back']), await newReader(), await newReader(['project'])];
  await windowEnded(asked.user, 25);
  await windowEnded(had.user, 24);
  await windowEnded(quiet.user, 25);
  await remind(server.services);
  await remind(server.services);
  await send();
  expect([asked, had, quiet].map(({ browser }) => textsOf(browser))).toEqual([['You have 25 votes again.'], [], []]);
});
