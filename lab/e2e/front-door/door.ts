/**
 * The front door: a fresh browser with nothing prepared, motion on, and a wallet that is connected by clicking. A journey opens
 * one address; from then on it only presses what a user can press.
 */
import { type Locator, type Page, test as base, expect } from '@playwright/test';
import pg from 'pg';
import { isDrawnAgain, isErrorLine, pictureOfFailure, SIGN_IN_401 } from '../page-watch.ts';
import { setting } from '../setting.ts';
import { expectVisibleToPerson } from './see.ts';
import { translateContinuously } from './translate.ts';

export { expect } from '@playwright/test';
export { WALLET_REJECTED } from '../page-watch.ts';

/** The preview of an embed allows no scripts, so that it is not translated. */
const NOT_TRANSLATED = /^Blocked script execution in '\S+\/embed\//;

export interface Door {
  /** The database: to look behind the screen, never to prepare it. */
  database: pg.Pool;
  /** Lines that the browser's console may show in this journey, each with its address. */
  allowed: RegExp[];
  /** Full loads of a document that this journey makes; more than that means that the page reloaded itself unexpectedly. */
  loads: { expected: number };
  /** The browser translates every page, from its first words on (R81). */
  isTranslated: boolean;
  watchPage: void;
  pictureOfFailure: void;
}

export const test = base.extend<Door>({
  serviceWorkers: 'allow',

  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  baseURL: async ({}, use) => use(setting('E2E_URL')),

  // eslint-disable-next-line no-empty-pattern -- as above
  database: async ({}, use) => {
    const pool = new pg.Pool({ connectionString: setting('E2E_DATABASE_URL'), max: 2 });
    await use(pool);
    await pool.end();
  },

  // eslint-disable-next-line no-empty-pattern -- as above
  allowed: async ({}, use) => use([SIGN_IN_401]),
  // eslint-disable-next-line no-empty-pattern -- as above
  loads: async ({}, use) => use({ expected: 1 }),

  pictureOfFailure,
  isTranslated: [false, { option: true }],

  watchPage: [
    async ({ page, allowed, loads, isTranslated, hasTouch }, use) => {
      isTouch = hasTouch;
      if (isTranslated) {
        await page.addInitScript(translateContinuously);
        allowed.push(NOT_TRANSLATED);
      }
      const errors: string[] = [];
      let documents = 0;
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (isErrorLine(message) && !(isTranslated && isDrawnAgain(message)))
          errors.push(`${message.text()} ${message.location().url}`);
      });
      page.on('request', (request) => {
        if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents += 1;
      });
      await use();
      expect(
        errors.filter((text) => !allowed.some((pattern) => pattern.test(text))),
        'errors in the console',
      ).toEqual([]);
      expect(documents, 'documents that were loaded').toBe(loads.expected);
    },
    { auto: true },
  ],
});

let isTouch = false;
export const byFinger = (): boolean => isTouch;

export async function press(target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  await expectVisibleToPerson(target);
  // The element around the words of a translated page, not the words.
  const pressed = target.locator('xpath=ancestor-or-self::*[not(self::font)][1]');
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

/** The header's button of the connected account; its title is the whole address. */
export const accountButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: /^(0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}|[\w-]+\.sui|@.+)$/ });

export async function sign(page: Page): Promise<void> {
  await press(signInDialog(page).getByRole('button', { name: 'Sign in' }));
  await press(messageDialog(page).getByRole('button', { name: 'Sign' }));
  await expect(signInDialog(page)).toHaveCount(0);
  await expect(messageDialog(page)).toHaveCount(0);
}

/** From 'Connect Wallet' to a session, all by clicking. Returns the wallet's address as the header shows it. */
export async function signIn(page: Page, { opener, admin = false }: { opener?: Locator; admin?: boolean } = {}) {
  await pickWallet(page, opener);
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
