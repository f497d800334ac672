/** An owner and a reviewer talk, and a report is resolved: each in a browser of their own, all by pressing. */
import type { Browser, Locator, Page } from '@playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { grantTokens } from '../fixtures.ts';
import { listOwnProjects } from '../own-projects.ts';
import {
  accountButton,
  chooseInMenu,
  type Door,
  expect,
  pickWallet,
  press,
  sign,
  signIn,
  test,
  walletDialog,
} from './door.ts';
import { expectToast } from './screens-journeys.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

export const bellOf = (page: Page, unread = 0): Locator =>
  page
    .getByRole('banner')
    .getByRole('button', { name: unread > 0 ? `Notifications, ${unread} unread` : 'Notifications', exact: true });

async function enter(browser: Browser, options?: { admin: boolean }): Promise<{ page: Page; wallet: string }> {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  const wallet = await signIn(page, options);
  await expect(accountButton(page)).toBeVisible();
  return { page, wallet };
}

/*
 * The parts that take a thousand votes, and a payment that another journey makes, are prepared: the price of a review, and a listing of the
 * owner's.
 */
async function idOf(database: Door['database'], wallet: string): Promise<number> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM users WHERE wallet_address = $1', [wallet]);
  return Number(rows[0]?.id);
}

async function listProject(database: Door['database'], owner: string): Promise<{ name: string; slug: string }> {
  const id = await idOf(database, owner);
  await listOwnProjects(database, id);
  const { rows } = await database.query<{ name: string; slug: string }>(
    'SELECT name, slug FROM projects WHERE owner_id = $1 AND expires_at > now()',
    [id],
  );
  return rows[0] ?? { name: '', slug: '' };
}

/** axe looks at the screen in both themes; then the page continues as before, with motion. */
export async function look(page: Page): Promise<void> {
  const theme = await page.evaluate(() => document.documentElement.dataset['theme'] ?? '');
  await expectAccessible(page);
  await page.evaluate((before) => (document.documentElement.dataset['theme'] = before), theme);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
}

async function followNotice(page: Page, unread: number, text: string | RegExp, isLooked = false): Promise<void> {
  await press(bellOf(page, unread));
  const notice = page.getByRole('menu').getByRole('menuitem').first();
  await expect(notice).toContainText(text);
  await expectVisibleToPerson(notice);
  await expect(bellOf(page)).toBeVisible();
  if (isLooked) await look(page);
  await press(notice);
  await expect(page.getByRole('menu')).toHaveCount(0);
}

async function report(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await press(dialog.getByText('Spam or advertising'));
  await look(page);
  await press(dialog.getByRole('button', { name: 'Send report' }));
  await expectToast(page, 'Report sent');
}

async function review(page: Page, name: string): Promise<void> {
  await expectScreenAlive(page, name);
  await page.getByLabel('Your review').fill('Where is the harbor?');
  const post = page.getByRole('button', { name: /^Post Review/ });
  // The tokens arrive with the next poll.
  await expect(post).toBeEnabled();
  await press(post);
  await expectToast(page, 'Review posted!');
}

async function reply(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  await followNotice(page, 1, `${name} has a new review`);
  await expectScreenAlive(page, name);
  const item = page.getByRole('listitem').filter({ hasText: 'Where is the harbor?' });
  await expect(item).toBeFocused();
  await press(item.getByRole('button', { name: 'Reply from the project' }));
  await page.getByLabel(`Reply from ${name}`).fill('Behind the lighthouse.');
  await press(item.getByRole('button', { name: 'Post reply' }));
  await expectToast(page, 'Reply posted');
  await expectVisibleToPerson(item.getByText('Behind the lighthouse.'));
}

async function dismissReport(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Admin Panel');
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await press(page.getByRole('button', { name: 'Login' }));
  await expectToast(page, 'Login Successful');
  await press(page.getByRole('tab', { name: 'Moderation' }));
  const row = page.getByRole('region', { name: 'Reports' }).getByRole('listitem').filter({ hasText: name });
  await expectVisibleToPerson(row.getByText('Behind the lighthouse.'));
  await look(page);
  await press(row.getByRole('button', { name: /^Dismiss/ }));
  await page.getByRole('dialog').getByLabel('Reason').fill('It is an answer');
  await press(page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }));
  await expectToast(page, 'Reports dismissed');
  await expect(row).toHaveCount(0);
}

export function talkJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`an owner answers a review, its author sees the bell and the reply, and a report is resolved (${theme}) [R51 R33]`, async ({
      page,
      browser,
      database,
    }) => {
      const owner = await enter(browser);
      const { name, slug } = await listProject(database, owner.wallet);
      await page.goto(`/projects/${slug}`);
      const reviewer = await signIn(page);
      await grantTokens(database, await idOf(database, reviewer), 10_000);
      await review(page, name);
      await reply(owner.page, name);
      await owner.page.context().close();

      await chooseInMenu(page, 'Leaderboard');
      await followNotice(page, 1, `${name} replied to your review`);
      await expectVisibleToPerson(page.getByText('Behind the lighthouse.'));
      await expectContentAlive(page);
      await press(page.getByRole('button', { name: `Report the reply from ${name}` }));
      await report(page, `Report the reply from ${name}`);

      const admin = await enter(browser, { admin: true });
      await dismissReport(admin.page, name);
      await admin.page.context().close();
      await chooseInMenu(page, 'Portfolio');
      await followNotice(page, 1, `Your report of a reply of ${name} was reviewed: it stays`, true);
      await expectScreenAlive(page, name);
    });
  });
}

export function visitorReportJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`a visitor connects to report a review, and finds an empty bell (${theme}) [R51]`, async ({ page }) => {
      await page.goto('/projects/tidepool-swap');
      await expectScreenAlive(page, 'Tidepool Swap');
      const button = page.getByRole('button', { name: /^Report the review by/ }).first();
      const name = (await button.getAttribute('aria-label')) ?? '';
      await pickWallet(page, button);
      await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
      await sign(page);
      await expectVisibleToPerson(page.getByRole('dialog', { name }));
      await report(page, name);
      await press(bellOf(page));
      const menu = page.getByRole('group', { name: 'Notifications' });
      await expectVisibleToPerson(menu.getByText(/^No notifications yet/));
      const [box, width] = [await menu.boundingBox(), page.viewportSize()?.width ?? 0];
      expect(box?.width ?? 0).toBeGreaterThan(width - 32);
      await expectAccessible(page);
    });
  });
}
