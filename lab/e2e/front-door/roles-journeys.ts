/** The owner gives a moderator a role and takes it again: each in a browser of their own, all by pressing. */
import type { Browser, Page } from '@playwright/test';
import { listOwnProjects } from '../own-projects.ts';
import { accountButton, chooseInMenu, type Door, expect, press, signIn, test } from './door.ts';
import { expectToast } from './screens-journeys.ts';
import { look } from './talk-journeys.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const PASSWORD = 'a password of my own';

/**
 * A listing of the user's own that no other journey sees: it has expired, so no deck deals it. A deck of a moment ago asks for the reviews
 * of a hidden project once more, and does not get them.
 */
export async function listProject(database: Door['database'], wallet: string): Promise<string> {
  const { rows } = await database.query<{ id: string }>('SELECT id FROM users WHERE wallet_address = $1', [wallet]);
  const id = Number(rows[0]?.id);
  await listOwnProjects(database, id);
  const projects = await database.query<{ name: string }>(
    'SELECT name FROM projects WHERE owner_id = $1 AND expires_at <= now()',
    [id],
  );
  return projects.rows[0]?.name ?? '';
}

export async function enterAsOwner(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  await signIn(page, { admin: true });
  await chooseInMenu(page, 'Admin Panel');
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await press(page.getByRole('button', { name: 'Login' }));
  await expectToast(page, 'Login Successful');
  await press(page.getByRole('tab', { name: 'People' }));
  return page;
}

async function grant(page: Page, wallet: string): Promise<string> {
  await page.getByLabel('Wallet').fill(wallet);
  await press(page.locator('label', { hasText: /^Moderator$/ }));
  await page.getByLabel('Reason').fill('Reads the reports');
  await press(page.getByRole('button', { name: 'Give role' }));
  const dialog = page.getByRole('dialog', { name: 'One-time password' });
  const shown = dialog.getByText(/^[2-9a-z]{5}(-[2-9a-z]{5}){3}$/);
  await expectVisibleToPerson(shown);
  const password = await shown.innerText();
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

export async function hideProject(page: Page, name: string): Promise<void> {
  await press(page.getByRole('tab', { name: 'Moderation' }));
  await page.getByLabel('Find projects, reviews and replies').fill(name);
  await press(page.getByRole('button', { name: 'Search' }));
  const row = page.getByRole('listitem').filter({ hasText: name });
  await press(row.getByRole('button', { name: /^Hide/ }));
  await page.getByRole('dialog').getByLabel('Reason').fill('Copies another project');
  await press(page.getByRole('dialog').getByRole('button', { name: /^Hide/ }));
  await expectVisibleToPerson(row.getByText(/Copies another project/));
}

export function rolesJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`the owner makes a wallet a moderator, who hides a project, and is out when the role ends (${theme}) [R54]`, async ({
      page,
      browser,
      database,
      allowed,
    }) => {
      allowed.push(/409.*\/api\/admin\/login/, /403.*\/api\/admin\//);
      await page.goto('/');
      const wallet = await signIn(page);
      const name = await listProject(database, wallet);
      const owner = await enterAsOwner(browser);
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
      if (theme === 'light') await look(owner);
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
  });
}
