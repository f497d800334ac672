/** The leaderboard on a slow network: everything is pressed before its code has come. */
import type { Locator, Page } from '@playwright/test';
import { holdCode } from '../held-code.ts';
import { expect, press, test } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const order = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Order' }).getByRole('link', { name });
const rows = (page: Page): Locator => page.getByRole('main').getByRole('listitem');

async function expectOrder(page: Page, name: string, subtitle: string): Promise<void> {
  await expect(order(page, name)).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('navigation', { name: 'Order' }).locator('[aria-current]')).toHaveCount(1);
  await expectVisibleToPerson(page.getByRole('main').getByText(subtitle));
}

test('order, category and search that are chosen before the code has come are what the leaderboard shows [R87 R44]', async ({
  page,
  loads,
}) => {
  const release = await holdCode(page);
  await page.goto('/leaderboard', { waitUntil: 'commit' });
  await expectOrder(page, 'Bullish', 'All projects ranked by bullish voting percentage');
  loads.expected = 2;
  await press(order(page, 'New'));
  // Still without the code.
  await expect(page).toHaveURL(/\/leaderboard\?sort=new$/);
  await expectOrder(page, 'New', 'All projects, newest listing first');
  await expect(rows(page).first()).toContainText('listed ');
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Gaming');
  await press(page.getByRole('searchbox', { name: 'Search' }));
  await page.keyboard.type('a');
  release();
  await expect(page).toHaveURL(/\/leaderboard\?sort=new&category=Gaming&search=a$/);
  await expectVisibleToPerson(page.getByText(/^\d+ projects? found$/));
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('a');
  await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('Gaming');
  await expectOrder(page, 'New', 'All projects, newest listing first');

  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await page.getByRole('combobox', { name: 'Category' }).selectOption('');
  await order(page, 'Verified').focus();
  await page.keyboard.press('Enter');
  await expectOrder(page, 'Verified', 'All projects ranked by their verified votes');
  loads.expected = 3;
  await page.reload();
  await expectOrder(page, 'Verified', 'All projects ranked by their verified votes');
  await page.goBack();
  await expectOrder(page, 'New', 'All projects, newest listing first');
  await page.goForward();
  await expectOrder(page, 'Verified', 'All projects ranked by their verified votes');
  await expectScreenAlive(page, 'Project Leaderboard');
});
