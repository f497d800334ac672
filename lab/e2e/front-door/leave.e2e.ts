/** Own data: downloaded, deleted with the wallet's signature, and the same wallet back at an empty account (R55). */
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { voteButton } from './deck.ts';
import { accountButton, chooseInMenu, expect, messageDialog, press, signIn, test, toastOf, topCard } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const SIGNATURE_401 = /status of 401 \(Unauthorized\) \S*\/api\/users\/\d+$/;
/** A poll of own data that the server answers just after the deletion, before the page knows of it. */
const POLL_401 = /status of 401 \(Unauthorized\) \S*\/api\/users\/\d+\/(stats|voting-status)$/;
const VISITOR = 'Swipe. Vote. Earn.';

const yourData = (page: Page): Locator => page.getByRole('region', { name: 'Your data' });
const deletion = (page: Page): Locator => page.getByRole('dialog', { name: 'Delete your account?' });

async function voteOnce(page: Page): Promise<string> {
  const link = topCard(page).getByRole('link', { name: /, details$/ });
  const path = (await link.getAttribute('href')) ?? '';
  await press(voteButton(page, 'Bullish'));
  await expect(topCard(page).getByRole('link', { name: /, details$/ })).not.toHaveAttribute('href', path);
  return path;
}

async function downloadArchive(page: Page): Promise<void> {
  const download = page.waitForEvent('download');
  await press(yourData(page).getByRole('button', { name: 'Download' }));
  expect((await download).suggestedFilename()).toMatch(/^snapswipe-data-\d{4}-\d\d-\d\d\.zip$/);
}

async function deleteAccount(page: Page): Promise<void> {
  await press(yourData(page).getByRole('button', { name: 'Delete account' }));
  const dialog = deletion(page);
  for (const part of ['What goes', 'What stays'])
    await expectVisibleToPerson(dialog.getByRole('heading', { name: part }));
  await expectAccessible(page);
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  await press(confirm);
  await press(messageDialog(page).getByRole('button', { name: 'Reject' }));
  await expectVisibleToPerson(dialog.getByRole('alert'));
  await press(confirm);
  await expectVisibleToPerson(messageDialog(page).getByText('DELETE my Snapswipe account for good', { exact: false }));
  await press(messageDialog(page).getByRole('button', { name: 'Sign' }));
  await expect(toastOf(page)).toContainText('Account deleted');
  await expect(dialog).toHaveCount(0);
}

test('own data is downloaded and the account deleted by the wallet; the same wallet comes back to an empty one [R55]', async ({
  page,
  allowed,
  loads,
  database,
}) => {
  allowed.push(SIGNATURE_401, POLL_401);
  await page.goto('/');
  await expectScreenAlive(page, VISITOR);
  const wallet = await signIn(page);
  const project = await voteOnce(page);
  await chooseInMenu(page, 'Profile');
  await expectScreenAlive(page, /Profile/);
  const tab = await page.context().newPage();
  await tab.goto('/portfolio');
  await expect(tab.getByRole('heading', { name: 'Your Portfolio' })).toBeVisible();
  // The browser draws the tab in front: behind another one, a frame takes a second.
  await page.bringToFront();
  await downloadArchive(page);
  await deleteAccount(page);
  await expectScreenAlive(page, 'Please connect your wallet');
  await expect(tab.getByRole('button', { name: 'Sign in again' })).toBeVisible();
  await tab.close();
  expect((await database.query('SELECT FROM users WHERE wallet_address = $1', [wallet])).rowCount).toBe(0);

  loads.expected += 1;
  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }));
  await expect(page.getByRole('heading', { name: 'Privacy', level: 1 })).toBeVisible();
  await expectVisibleToPerson(page.getByRole('heading', { name: 'Your rights' }));
  await expectAccessible(page);
  loads.expected += 1;
  await press(page.getByRole('banner').getByRole('link', { name: 'Snapswipe' }));
  await expectScreenAlive(page, VISITOR);

  await signIn(page);
  await expect(accountButton(page)).toHaveAttribute('title', wallet);
  const again = await page.context().newPage();
  await again.goto(project);
  await expect(again.getByText('You already voted with an account you deleted')).toBeVisible();
});
