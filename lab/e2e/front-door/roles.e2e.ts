/** The owner gives a moderator a role and takes it again: each in a browser of their own, all by pressing. */
import type { Page } from '@playwright/test';
import { expectActionInSight } from '../fit.ts';
import { plantListing } from '../listing.ts';
import { accountButton, chooseInMenu, enterAsAdmin, expect, expectToast, look, press, signIn, test } from './door.ts';
import { hideProject } from './moderation.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const PASSWORD = 'a password of my own';

async function grant(page: Page, wallet: string): Promise<string> {
  await page.getByLabel('Wallet').fill(wallet);
  await press(page.locator('label', { hasText: /^Moderator$/ }));
  await page.getByLabel('Reason').fill('Reads the reports');
  await press(page.getByRole('button', { name: 'Give role' }));
  const dialog = page.getByRole('dialog', { name: 'One-time password' });
  const shown = dialog.getByText(/^[2-9a-z]{5}(-[2-9a-z]{5}){3}$/);
  await expectVisibleToPerson(shown);
  const password = await shown.innerText();
  await expectActionInSight(dialog.getByRole('button', { name: 'Done' }), 'Done');
  await press(dialog.getByRole('button', { name: 'Done' }));
  await expect(dialog).toHaveCount(0);
  await expectContentAlive(page);
  return password;
}

async function logIn(page: Page, oneTime: string): Promise<void> {
  await chooseInMenu(page, 'Admin Panel');
  await expectScreenAlive(page, 'Admin Login');
  await page.getByLabel('Password').fill(oneTime);
  await press(page.getByRole('button', { name: 'Login' }));
  await expectVisibleToPerson(page.getByText('This password works once.'));
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat the new password').fill(PASSWORD);
  await press(page.getByRole('button', { name: 'Set password and log in' }));
  await expectToast(page, 'Login Successful');
}

test('the owner makes a wallet a moderator, who hides a project, and is out when the role ends [R54]', async ({
  page,
  browser,
  database,
  allowed,
}) => {
  allowed.push(/409.*\/api\/admin\/login/, /403.*\/api\/admin\//);
  await page.goto('/');
  const wallet = await signIn(page);
  // Expired: no deck deals it, and none of a moment ago asks for the reviews of a hidden project.
  const { name } = await plantListing(database, { wallet, days: [40, -3] });
  const owner = await enterAsAdmin(browser, 'People');
  const password = await grant(owner, wallet);

  // A role is seen at the next sign-in, or the next visit.
  await chooseInMenu(page, 'Disconnect Wallet');
  await signIn(page);
  await expect(accountButton(page)).toBeVisible();
  await logIn(page, password);
  await expectScreenAlive(page, 'Admin Panel');
  await expectVisibleToPerson(page.getByText('Signed in as moderator'));
  await expect(page.getByRole('tab')).toHaveText(['Overview', 'Moderation']);
  await hideProject(page, name);
  await look(page);

  const row = owner
    .getByRole('listitem')
    .filter({ hasText: 'Moderator' })
    .filter({ has: owner.locator(`[title="${wallet}"]`) });
  await press(row.getByRole('button', { name: /^History of/ }));
  await expectVisibleToPerson(row.getByText('project.hide'));
  await look(owner);
  await press(row.getByRole('button', { name: /^Revoke/ }));
  await owner.getByRole('dialog').getByRole('textbox').fill('Left us');
  await press(owner.getByRole('dialog').getByRole('button', { name: 'Revoke role' }));
  await expectToast(owner, 'Role revoked');
  await owner.context().close();

  // Whatever the page asks next is refused: what this press asks for, or a poll before it.
  const overview = page.getByRole('tab', { name: 'Overview' });
  await expect(async () => {
    if (await overview.isVisible()) await overview.click({ timeout: 1_000 });
    await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
  await expectScreenAlive(page, 'Access Denied');
});
