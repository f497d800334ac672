// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endPushHere, getPush, type PushChoice, subscribePush, testPush } from '#shared/contract/push.ts';
import { USER } from '../../../testing/made-up.ts';
import { keepInstallOffer } from '../../../lib/install-offer.ts';
import { act, draw, toastShown, useTestPage } from '../../../testing/screen.tsx';
import { makePushBrowser, removePushBrowser } from '../../../testing/push-browser.ts';
import { PushCard } from './push-card.tsx';

const server = useTestPage();
const OFF: PushChoice = { publicKey: 'BAAA', kinds: [], isOnHere: false, browsers: 0, endpoint: null };
const ON: PushChoice = { ...OFF, isOnHere: true, browsers: 1, endpoint: 'https://push.example/x' };
let browser: ReturnType<typeof makePushBrowser>;

beforeEach(() => {
  browser = makePushBrowser();
  server().respond(getPush, OFF);
});
afterEach(removePushBrowser);

async function open() {
  const user = userEvent.setup();
  draw(<PushCard userId={USER.id} />);
  await screen.findByRole('heading', { name: 'Notifications' });
  return user;
}
const button = (name: string) => screen.findByRole('button', { name });

test('notifications stay off without permission, and a toast explains it [R78]', async () => {
  browser.permission = 'default';
  const user = await open();
  await user.click(await button('Turn on in this browser'));
  expect(await toastShown()).toMatchObject({
    description: 'Your browser does not allow notifications of this site. Its settings can change that.',
    variant: 'destructive',
  });
  expect(server().calls(subscribePush)).toEqual([]);
});

test('a browser that blocks notifications shows where to allow them [R78]', async () => {
  browser.permission = 'denied';
  await open();
  await screen.findByText(/^Your browser blocks notifications of this site/);
  expect(screen.queryByRole('button')).toBeNull();
});

test('a browser without push shows the bell instead of a switch [R78]', async () => {
  removePushBrowser();
  await open();
  expect(screen.getByText(/^This browser cannot receive notifications/)).toBeVisible();
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('an iPhone in a tab shows the steps to the Home Screen, from where it can push [R78]', async () => {
  removePushBrowser();
  Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
  await open();
  expect(screen.getByText('Add to Home Screen first')).toBeVisible();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Press Share in your browser.',
    'Choose ‘Add to Home Screen’.',
    'Open Snapswipe there, sign in, and turn notifications on in your profile.',
  ]);
  expect(screen.queryByText(/^This browser cannot/)).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  Reflect.deleteProperty(navigator, 'standalone');
});

test("the browser's offer to install the app is kept for this card, and used once", async () => {
  keepInstallOffer();
  const prompt = vi.fn<() => Promise<object>>(async () => ({ outcome: 'dismissed' }));
  const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  const user = await open();
  expect(screen.queryByRole('button', { name: 'Install the app' })).toBeNull();
  act(() => void dispatchEvent(offer));
  expect(offer.defaultPrevented).toBe(true);
  await user.click(await button('Install the app'));
  expect(prompt).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Install the app' })).toBeNull();
});

test('a site without push shows no notification settings [R78]', async () => {
  server().respond(getPush, { ...OFF, publicKey: null });
  draw(<PushCard userId={USER.id} />);
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Notifications' })).toBeNull());
});

test.each([
  ['was renewed by the browser', () => Object.assign(browser.made, { endpoint: 'https://push.example/newer' }), ON],
  [
    'has another key of the site',
    () => Object.assign(browser.made, { options: { applicationServerKey: new ArrayBuffer(3) } }),
    ON,
  ],
  ['is rejected by its push service', () => browser.made, { ...ON, isOnHere: false, browsers: 0 }],
  ['was lost with the data of the site', () => null, ON],
])('a subscription that %s is renewed when the page opens [R78]', async (_case, change, known) => {
  browser.present = change();
  server().respond(getPush, known);
  server().respond(subscribePush, ON);
  await open();
  expect(await screen.findByText('On in this browser.')).toBeVisible();
  expect(server().calls(subscribePush)).toHaveLength(1);
});

test.each(['default', 'denied'] as const)(
  'a subscription ends when the page opens and the permission for it is %s [R78]',
  async (now) => {
    browser.permission = now;
    server().respond(getPush, ON);
    server().respond(endPushHere, OFF);
    await open();
    expect(await screen.findByText('Off in this browser.')).toBeVisible();
    expect(server().calls(endPushHere)).toHaveLength(1);
    expect(server().calls(subscribePush)).toEqual([]);
  },
);

test('a subscription that the browser has as the site knows it is left alone [R78]', async () => {
  browser.present = browser.made;
  server().respond(getPush, ON);
  await open();
  expect(await screen.findByText('On in this browser.')).toBeVisible();
  expect(server().calls(subscribePush)).toEqual([]);
});

test('a failed test message shows its reason and the present state [R78]', async () => {
  browser.present = browser.made;
  server().respond(getPush, ON);
  const message = 'This browser gets no notifications any longer. Turn them on again.';
  server().reject(testPush, 409, { error: 'push_gone', message });
  const user = await open();
  const press = await button('Send a test');
  server().respond(getPush, OFF);
  await user.click(press);
  expect(await toastShown()).toMatchObject({ description: message });
  await button('Turn on in this browser');
});
