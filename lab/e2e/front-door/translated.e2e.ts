/** Acts of a user while the browser translates the page; playwright.config.ts repeats other front doors there (R81). */
import type { Page } from '@playwright/test';
import { voteButton } from './deck.ts';
import { chooseInMenu, deckOf, expect, expectToast, press, signIn, test, topCard } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const VOTES = 6;

async function earn(page: Page): Promise<void> {
  const skip = deckOf(page).getByRole('button', { name: 'Skip', exact: true });
  await expect(skip).toBeEnabled();
  await press(skip);
  for (let vote = 1; vote <= VOTES; vote += 1) {
    const project = await topCard(page).getAttribute('data-project');
    await press(voteButton(page, vote % 2 === 0 ? 'Bullish' : 'Bearish'));
    await expect(page.locator('[data-reveal]')).toHaveText(vote % 2 === 0 ? /^Bullish on / : /^Bearish on /);
    if (vote !== VOTES) continue;
    await page.keyboard.press('z');
    await expect(topCard(page)).toHaveAttribute('data-project', project ?? '');
  }
  await expectVisibleToPerson(deckOf(page).getByText(/^20 votes until \d\d:\d\d$/));
}

async function searchTheLeaderboard(page: Page): Promise<void> {
  await chooseInMenu(page, 'Leaderboard');
  await expectScreenAlive(page, 'Project Leaderboard');
  const rows = page.getByRole('main').getByRole('listitem');
  const all = await rows.count();
  for (const order of ['Verified', 'Trending', 'New', 'Bullish'])
    await press(page.getByRole('main').getByText(order, { exact: true }).first());
  await page.getByRole('combobox', { name: 'Category' }).selectOption('Gaming');
  await expect(rows.first()).toBeVisible();
  await expect.poll(() => rows.count()).toBeLessThan(all);
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such project');
  await expect(rows).toHaveCount(0);
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await expect(rows.first()).toBeVisible();
}

async function withdraw(page: Page): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  await expectScreenAlive(page, 'Your Portfolio');
  await press(page.getByRole('button', { name: 'Withdraw Tokens' }));
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  await dialog.getByRole('textbox').fill('51');
  await press(dialog.getByRole('button', { name: /^Withdraw/ }));
  await expect(page.getByText('You only have 50 tokens').first()).toBeVisible();
  await dialog.getByRole('textbox').fill('50');
  await press(dialog.getByRole('button', { name: /^Withdraw/ }));
  await expectToast(page, 'Withdrawal requested!');
}

test('a translated page votes, undoes, sorts, filters, withdraws and signs out [R81]', async ({ page }) => {
  await page.goto('/');
  await signIn(page);
  await earn(page);
  await searchTheLeaderboard(page);
  await withdraw(page);
  await chooseInMenu(page, 'Disconnect Wallet');
  await expectVisibleToPerson(page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }));
});
