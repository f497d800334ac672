/**
 * Notifications outside of the page (R78): picked, turned on, tested and turned off by pressing. No push service of a browser can be reached
 * here, so two of its parts are stood in for: the subscription, whose keys the test has, and the delivery, by the browser's debugging
 * protocol; so is the press on a notification. Everything between them is real: the server encrypts, the push service on loopback gets it, the service worker shows it.
 */
import type { Locator, Page, Worker } from '@playwright/test';
import { PUSH_KINDS, type PushKind } from '#shared/push-kinds.ts';
import { decryptPush, newPushBrowser, type PushBrowser, type ReceivedPush } from '#lab/push/browser.ts';
import { expectAccessible } from '../accessibility.ts';
import { setting } from '../setting.ts';
import { chooseInMenu, type Database, expect, expectToast, press, signIn, test } from './door.ts';
import { expectVisibleToPerson } from './see.ts';

const card = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

/** The browser's subscription, as its push service would make it. Runs in the page. */
function standInForSubscription({ endpoint, keys }: PushBrowser['subscription']): void {
  let present: PushSubscription | null = null;
  const subscribe = async ({ applicationServerKey }: PushSubscriptionOptionsInit = {}) => {
    present = {
      endpoint,
      options: { applicationServerKey, userVisibleOnly: true },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => {
        present = null;
        return true;
      },
    } as unknown as PushSubscription;
    return present;
  };
  Object.assign(PushManager.prototype, { subscribe, getSubscription: async () => present });
}

function watchNextShown(): void {
  const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: Promise<void> };
  const { registration } = scope;
  scope.shown = new Promise((resolve, reject) => {
    registration.showNotification = async (...notification) => {
      await ServiceWorkerRegistration.prototype.showNotification
        .apply(registration, notification)
        .then(resolve, reject);
    };
  });
}

/**
 * Delivers a message as the browser's push service would, after it was decrypted, and waits until the worker has shown it. Who asks Chromium
 * for the notifications at that moment takes one away that is stored and not on the screen yet.
 */
async function openDelivery(page: Page, worker: Worker): Promise<(data: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (data) => {
    await worker.evaluate(watchNextShown);
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    await worker.evaluate(() => (globalThis as unknown as { shown: Promise<void> }).shown);
  };
}

function workerOf(page: Page): Worker {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('the page has no service worker');
  return worker;
}

const shownNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    return (await registration.getNotifications()).map(({ title, body, data }) => ({
      title,
      body,
      data: data as unknown,
    }));
  });

async function newestMessage(browser: PushBrowser, count = 1) {
  const read = async () => (await (await fetch(browser.subscription.endpoint)).json()) as ReceivedPush[];
  await expect.poll(async () => (await read()).length).toBe(count);
  return decryptPush(browser, (await read()).at(-1)?.body ?? '');
}

interface KindOfMessage {
  kind: PushKind;
  link: string;
  title: string;
  heading: string | RegExp;
}

const messagesOf = (slug: string, name: string): KindOfMessage[] => [
  { kind: 'money', link: '/portfolio', title: 'Snaps and answers', heading: 'Your Portfolio' },
  { kind: 'project', link: `/projects/${slug}?review=1`, title: 'News about a project', heading: name },
  { kind: 'votes_back', link: '/', title: 'Your votes are back', heading: 'Vote on projects' },
];

/** Queues a message for the browsers of a user, like its event; the daily limit of most kinds is passed by. */
async function queueMessage(database: Database, wallet: string, { kind, link }: KindOfMessage): Promise<void> {
  const { rowCount } = await database.query(
    `INSERT INTO push_messages (user_id, subscription_id, kind, text, link, expires_at)
     SELECT s.user_id, s.id, $2, $3, $4, now() + interval '1 day'
     FROM push_subscriptions s JOIN users u ON u.id = s.user_id WHERE u.wallet_address = $1`,
    [wallet, kind, `About ${kind}`, link],
  );
  expect(rowCount).toBe(1);
}

/**
 * Presses the notification that is shown; returns the address that the worker opens. A press of a person cannot be made here: the event is the
 * browser's own, but made by the worker, to which the browser opens no window.
 */
async function pressNotification(worker: Worker, title: string): Promise<string> {
  return worker.evaluate(async (pressed) => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: object;
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
      WindowClient: { prototype: object };
      dispatchEvent: (event: Event) => void;
    };
    const shown = (await scope.registration.getNotifications()).find((one) => one.title === pressed);
    if (!shown) throw new Error(`no notification '${pressed}' is shown`);
    const opened = Promise.withResolvers<string>();
    Object.assign(scope.clients, { openWindow: async (url: string) => opened.resolve(url) });
    Object.assign(scope.WindowClient.prototype, {
      async focus(this: { url: string }) {
        opened.resolve(this.url);
      },
    });
    const event = new scope.NotificationEvent('notificationclick', { notification: shown });
    Object.defineProperty(event, 'waitUntil', { value: () => undefined });
    scope.dispatchEvent(event);
    return opened.promise;
  }, title);
}

test('a push message of each kind is shown, and a press opens its page [R78]', async ({ page, context, database }) => {
  const browser = newPushBrowser(setting('E2E_PUSH_URL'));
  await context.grantPermissions(['notifications'], { origin: setting('E2E_URL') });
  await page.addInitScript(standInForSubscription, browser.subscription);
  await page.goto('/');
  const wallet = await signIn(page);
  await chooseInMenu(page, 'Profile');
  for (const box of await card(page).getByRole('checkbox').all()) await press(box);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await expect(card(page).getByRole('button', { name: 'Turn on in this browser' })).toBeEnabled();
  await press(card(page).getByRole('button', { name: 'Turn on in this browser' }));
  await expectVisibleToPerson(card(page).getByText('On in this browser.'));
  const worker = workerOf(page);
  const deliver = await openDelivery(page, worker);
  const { rows } = await database.query<{ slug: string; name: string }>(
    "SELECT slug, name FROM projects WHERE slug = 'paper-foxes'",
  );
  const messages = messagesOf(rows[0]?.slug ?? '', rows[0]?.name ?? '');
  expect(messages.map(({ kind }) => kind)).toEqual([...PUSH_KINDS]);
  let arrived = 0;
  for (const message of messages) {
    await queueMessage(database, wallet, message);
    arrived += 1;
    const payload = await newestMessage(browser, arrived);
    expect(payload).toMatchObject({ title: message.title, body: `About ${message.kind}`, link: message.link });
    await deliver(JSON.stringify(payload));
    const shown = await shownNotifications(page);
    expect(shown.map(({ title, body }) => ({ title, body }))).toEqual([
      { title: message.title, body: `About ${message.kind}` },
    ]);
    const opened = await context.newPage();
    await opened.goto(await pressNotification(worker, message.title));
    expect(new URL(opened.url()).pathname).toBe(new URL(message.link, opened.url()).pathname);
    await expect(opened.getByRole('heading', { name: message.heading }).first()).toBeVisible();
    await opened.close();
    await page.bringToFront();
    await expect.poll(() => shownNotifications(page)).toEqual([]);
  }
});

test('notifications are picked, turned on, tested and turned off with one press [R78]', async ({ page, context }) => {
  const browser = newPushBrowser(setting('E2E_PUSH_URL'));
  await context.grantPermissions(['notifications'], { origin: setting('E2E_URL') });
  await page.addInitScript(standInForSubscription, browser.subscription);
  await page.goto('/');
  await signIn(page);
  await chooseInMenu(page, 'Profile');
  await expect(card(page)).toContainText('Off.');
  const boxes = card(page).getByRole('checkbox');
  await expect(boxes).toHaveCount(PUSH_KINDS.length);
  for (const box of await boxes.all()) await expect(box).not.toBeChecked();
  const money = card(page).getByRole('checkbox', { name: /^Money/ });
  await press(money);
  await expect(money).toBeChecked();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await press(card(page).getByRole('button', { name: 'Turn on in this browser' }));
  await expectVisibleToPerson(card(page).getByText('On in this browser.'));
  await expectAccessible(page);

  await press(card(page).getByRole('button', { name: 'Send a test' }));
  await expectToast(page, 'Test sent');
  const message = await newestMessage(browser);
  const deliver = await openDelivery(page, workerOf(page));
  await deliver(JSON.stringify(message));
  expect(await shownNotifications(page)).toEqual([
    { title: 'Snapswipe', body: 'Notifications work in this browser.', data: { link: '/profile' } },
  ]);

  await press(card(page).getByRole('button', { name: 'Turn all off' }));
  await expectVisibleToPerson(card(page).getByText('Off.'));
  await expect(money).not.toBeChecked();
  await expect(card(page).getByRole('button', { name: 'Send a test' })).toHaveCount(0);
});
