/**
 * The front door: a fresh browser with nothing prepared, motion on, and a wallet that is connected by clicking. A journey opens
 * one address; from then on it only presses what a user can press.
 */
import type { Browser, Locator, Page } from '@playwright/test';
import { TOAST_DURATION_MS } from '#shared/constants.ts';
import { expectAccessible } from '../accessibility.ts';
import { type Base, enterPassword, expect, test as base, toastOf } from '../base.ts';
import { expectVisibleToPerson } from './see.ts';

export { deckOf, expect, toastOf, topCard } from '../base.ts';

export type Database = Base['database'];

/** The preview of an embed allows no scripts, so that it is not translated. */
const NOT_TRANSLATED = /^Blocked script execution in '\S+\/embed\//;

interface Door {
  /** Full loads of a document that this journey makes; more than that means that the page reloaded itself unexpectedly. */
  loads: { expected: number };
  watchPage: void;
}

export const test = base.extend<Door>({
  serviceWorkers: 'allow',

  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  loads: async ({}, use) => use({ expected: 1 }),

  watchPage: [
    async ({ page, allowed, loads, isTranslated, hasTouch }, use) => {
      isTouch = hasTouch;
      if (isTranslated) {
        await page.addInitScript(translateContinuously);
        allowed.push(NOT_TRANSLATED);
      }
      let documents = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents += 1;
      });
      await use();
      expect(documents, 'documents that were loaded').toBe(loads.expected);
    },
    { auto: true },
  ],
});

let isTouch = false;
export const byFinger = (): boolean => isTouch;

/**
 * Translates the page for as long as it is open, as a browser does: each text moves into two <font> elements of which React knows nothing,
 * and so does each later one. Runs in the page, before its first script.
 */
function translateContinuously(): void {
  const KEPT = 'font, script, style, noscript, svg, textarea, title, [translate="no"], .notranslate';
  const translate = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = root.nodeType === Node.TEXT_NODE ? [root as Text] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (text.data.trim() === '' || !text.parentElement || text.parentElement.closest(KEPT)) continue;
      const outer = document.createElement('font');
      text.replaceWith(outer);
      outer.appendChild(document.createElement('font')).append(text);
    }
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) translate(node);
  });
  addEventListener('DOMContentLoaded', () => {
    translate(document.body);
    observer.observe(document.body, { childList: true, subtree: true });
  });
}

export async function press(target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  await expectVisibleToPerson(target);
  // The element around the words of a translated page, not the words.
  const pressed = target.locator('xpath=ancestor-or-self::*[not(self::font or self::bdi)][1]');
  if (byFinger()) await pressed.tap();
  else await pressed.click();
}

export const walletDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Connect to Snapswipe?' });
export const signInDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Sign in' });
export const messageDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Sign this message?' });

export async function pickWallet(page: Page, opener?: Locator): Promise<void> {
  await press(opener ?? page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }));
  await press(page.getByRole('dialog', { name: 'Connect Wallet' }).getByRole('button', { name: 'Sandbox Wallet' }));
}

export const accountButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: /^(0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}|[\w-]+\.sui|@.+)$/ });

export async function sign(page: Page): Promise<void> {
  await press(signInDialog(page).getByRole('button', { name: 'Sign in' }));
  await press(messageDialog(page).getByRole('button', { name: 'Sign' }));
  await expect(signInDialog(page)).toHaveCount(0);
  await expect(messageDialog(page)).toHaveCount(0);
}

export const signTransaction = (page: Page): Promise<void> =>
  press(page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Sign' }));

/** From 'Connect Wallet' to a session, all by clicking. Returns the wallet's address as the header shows it. */
export async function signIn(
  page: Page,
  { opener, admin = false, account }: { opener?: Locator; admin?: boolean; account?: string } = {},
) {
  await pickWallet(page, opener);
  if (account !== undefined) await press(walletDialog(page).getByText(account));
  if (admin) await press(walletDialog(page).getByRole('button', { name: 'Use Sandbox admin' }));
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  await sign(page);
  return (await accountButton(page).getAttribute('title')) ?? '';
}

export async function chooseInMenu(page: Page, name: string): Promise<void> {
  await press(accountButton(page));
  await press(page.getByRole('menuitem', { name }));
}

export const logo = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: 'Snapswipe, home' });

export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const toast = toastOf(page).getByRole('listitem');
  await expectVisibleToPerson(toast.getByText(text, { exact: true }), { isBrief: true });
  // It stays for five seconds, which are soon over where two runs share a slow machine: then it has closed itself.
  const close = toast.getByRole('button', { name: 'Close' });
  const timeout = TOAST_DURATION_MS;
  await (byFinger() ? close.tap({ timeout }) : close.click({ timeout })).catch(() => undefined);
  await expect(toast).toHaveCount(0);
}

export async function enter(browser: Browser, options?: { admin: boolean }): Promise<{ page: Page; wallet: string }> {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  return { page, wallet: await signIn(page, options) };
}

export async function openAdminPanel(page: Page): Promise<void> {
  await chooseInMenu(page, 'Admin Panel');
  await enterPassword(page);
  await expectToast(page, 'Login Successful');
}

export async function enterAsAdmin(browser: Browser, tab: string): Promise<Page> {
  const { page } = await enter(browser, { admin: true });
  await openAdminPanel(page);
  await press(page.getByRole('tab', { name: tab }));
  return page;
}

export const bellOf = (page: Page, unread = 0): Locator =>
  page
    .getByRole('banner')
    .getByRole('button', { name: unread > 0 ? `Notifications, ${unread} unread` : 'Notifications', exact: true });

export async function followNotice(page: Page, text: string | RegExp, unread = 1): Promise<void> {
  // A page reads the bell when it comes back to the front, or within a minute.
  await expect(bellOf(page, unread)).toBeVisible({ timeout: 90_000 });
  await press(bellOf(page, unread));
  const notice = page.getByRole('menu').getByRole('menuitem').first();
  await expect(notice).toContainText(text);
  await press(notice);
  await expect(page.getByRole('menu')).toHaveCount(0);
}

/** axe looks at the screen in both themes; then the page continues as before, with motion. */
export async function look(page: Page): Promise<void> {
  const theme = await page.evaluate(() => document.documentElement.dataset['theme'] ?? '');
  await expectAccessible(page);
  await page.evaluate((before) => (document.documentElement.dataset['theme'] = before), theme);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
}
