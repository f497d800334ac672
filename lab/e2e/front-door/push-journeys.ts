/**
 * Notifications outside of the page (R78): picked, turned on, tested and turned off by pressing. No push service of a browser can be reached
 * here, so two of its parts are stood in for: the subscription, whose keys the test has, and the delivery, by the browser's debugging
 * protocol. Everything between them is real: the server encrypts, the push service on loopback gets it, the service worker shows it.
 */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { decryptPush, newPushBrowser, type PushBrowser, type ReceivedPush } from '#lab/push/browser.ts';
import { expectAccessible } from '../accessibility.ts';
import { setting } from '../setting.ts';
import { chooseInMenu, expect, press, signIn, test } from './door.ts';
import { expectToast } from './screens-journeys.ts';
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

/** Delivers a message as the browser's push service would, after it was decrypted. */
async function openDelivery(context: BrowserContext, page: Page): Promise<(data: string) => Promise<void>> {
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return (data) =>
    session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }).then(() => undefined);
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

async function newestMessage(browser: PushBrowser) {
  const read = async () => (await (await fetch(browser.subscription.endpoint)).json()) as ReceivedPush[];
  await expect.poll(async () => (await read()).length).toBeGreaterThan(0);
  return decryptPush(browser, (await read()).at(-1)?.body ?? '');
}

/** Declares: Profile → Notifications → kinds, on, a test that arrives, off. */
export function pushJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`notifications are picked, turned on, tested and turned off with one press (${theme}) [R78]`, async ({
      page,
      context,
    }) => {
      const browser = newPushBrowser(setting('E2E_PUSH_URL'));
      await context.grantPermissions(['notifications'], { origin: setting('E2E_URL') });
      await page.addInitScript(standInForSubscription, browser.subscription);
      await page.goto('/');
      await signIn(page);
      await chooseInMenu(page, 'Profile');
      await expect(card(page)).toContainText('Off.');
      const boxes = card(page).getByRole('checkbox');
      expect(await boxes.count()).toBe(7);
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
      const deliver = await openDelivery(context, page);
      await deliver(JSON.stringify(message));
      await expect
        .poll(() => shownNotifications(page))
        .toEqual([{ title: 'Snapswipe', body: 'Notifications work in this browser.', data: { link: '/profile' } }]);

      await press(card(page).getByRole('button', { name: 'Turn all off' }));
      await expectVisibleToPerson(card(page).getByText('Off.'));
      await expect(money).not.toBeChecked();
      await expect(card(page).getByRole('button', { name: 'Send a test' })).toHaveCount(0);
    });
  });
}
