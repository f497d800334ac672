/**
 * Notifications outside of the page (R78): picked, turned on, tested and turned off by pressing. No push service of a browser can be reached
 * here, so two of its parts are stood in for: the subscription, whose keys the test has, and the delivery, by the browser's debugging
 * protocol; so is the press on a notification. Everything between them is real: the server encrypts, the push service on loopback gets it, the service worker shows it.
 */
import type { Locator, Page, Worker } from '@playwright/test';
import { PUSH_KINDS, type PushKind } from '#shared/people/push-kinds.ts';
import { decryptPush, newPushBrowser, type PushBrowser, type ReceivedPush } from '#lab/push/browser.ts';
import { expectAccessible } from '../accessibility.ts';
import { setting } from '../setting.ts';
import { chooseInMenu, type Database, expect, expectToast, press, signIn, test } from './door.ts';
import { expectVisibleToPerson } from './see.ts';

const card = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

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
    return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }));
  });

async function newestMessage(browser: PushBrowser, count: number) {
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

test('notifications are picked, turned on, tested, shown and pressed for each kind, and turned off with one press [R78]', async ({
  page,
  context,
  database,
}) => {
  const browser = newPushBrowser(setting('E2E_PUSH_URL'));
  await context.grantPermissions(['notifications'], { origin: setting('E2E_URL') });
  await page.addInitScript(standInForSubscription, browser.subscription);
  await page.goto('/');
  const wallet = await signIn(page);
  await chooseInMenu(page, 'Profile');
  await expect(card(page)).toContainText('Off in this browser.');
  const boxes = card(page).getByRole('switch');
  await expect(boxes).toHaveCount(PUSH_KINDS.length);
  for (const box of await boxes.all()) {
    await expect(box).not.toBeChecked();
    await press(box);
  }
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await press(card(page).getByRole('button', { name: 'Turn on in this browser' }));
  await expectVisibleToPerson(card(page).getByText('On in this browser.'));
  await expectAccessible(page);

  await press(card(page).getByRole('button', { name: 'Send a test' }));
  await expectToast(page, 'Test sent');
  expect(await newestMessage(browser, 1)).toMatchObject({
    title: 'Snapswipe',
    body: 'Notifications work in this browser.',
    link: '/profile',
  });

  const worker = workerOf(page);
  const deliver = await openDelivery(page, worker);
  const messages = messagesOf('paper-foxes', 'Paper Foxes');
  expect(messages.map(({ kind }) => kind)).toEqual([...PUSH_KINDS]);
  for (const [at, message] of messages.entries()) {
    await queueMessage(database, wallet, message);
    const payload = await newestMessage(browser, at + 2);
    expect(payload).toMatchObject({ title: message.title, body: `About ${message.kind}`, link: message.link });
    await deliver(JSON.stringify(payload));
    expect(await shownNotifications(page)).toMatchObject([{ title: message.title, body: `About ${message.kind}` }]);
    const opened = await context.newPage();
    await opened.goto(await pressNotification(worker, message.title));
    expect(new URL(opened.url()).pathname).toBe(new URL(message.link, opened.url()).pathname);
    await expect(opened.getByRole('heading', { name: message.heading }).first()).toBeVisible();
    await opened.close();
    await page.bringToFront();
    await expect.poll(() => shownNotifications(page)).toEqual([]);
  }

  await press(card(page).getByRole('button', { name: 'Turn all off' }));
  await expectVisibleToPerson(card(page).getByText('Off in this browser.'));
  for (const box of await boxes.all()) await expect(box).not.toBeChecked();
  await expect(card(page).getByRole('button', { name: 'Send a test' })).toHaveCount(0);
});
