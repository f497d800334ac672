/** A paid listing whose name looks like another one waits; a moderator sees both side by side and declines or lists it. */
import type { Page } from '@playwright/test';
import { uniqueText } from '../unique.ts';
import { chooseInMenu, type Door, expect, press, signIn, test } from './door.ts';
import { enterAsOwner } from './roles-journeys.ts';
import { expectToast, fillListing } from './screens-journeys.ts';
import { bellOf, look } from './talk-journeys.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

// The listing of another owner is prepared; it has expired, so that no other journey sees it.
async function listByOther(database: Door['database'], name: string): Promise<void> {
  await database.query(
    `WITH listing AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, created_at, expires_at)
       SELECT $1, $2, category, description, image_hash, twitter_handle, owner_id, now() - interval '40 days', now() - interval '9 days'
       FROM projects WHERE slug = 'paper-foxes' RETURNING id
     ) INSERT INTO project_stats (project_id) SELECT id FROM listing`,
    [name.toLowerCase().replaceAll(' ', '-'), name],
  );
}

async function payFor(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Submit Project');
  await expectScreenAlive(page, 'Submit Your Project');
  await fillListing(page, name);
  await press(page.getByRole('button', { name: 'Pay 15 SUI & Submit Project' }));
  await press(page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Sign' }));
  await expectToast(page, 'Your payment waits for a look at the name');
}

async function readNotice(page: Page, text: string | RegExp): Promise<void> {
  await press(bellOf(page, 1));
  const notice = page.getByRole('menu').getByRole('menuitem').first();
  await expect(notice).toContainText(text);
  await expectVisibleToPerson(notice);
  await press(notice);
  await expectScreenAlive(page, 'Your Portfolio');
}

export function namesJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`a paid look-alike waits beside the listing it copies, and its payer reads why it was declined (${theme}) [R74]`, async ({
      page,
      browser,
      database,
    }) => {
      const name = `Gull Cove ${uniqueText()}`;
      const copy = name.replace('Gull Cove ', 'GuII-C0ve-');
      await listByOther(database, name);
      await page.goto('/');
      await signIn(page);
      await payFor(page, copy);
      await chooseInMenu(page, 'Portfolio');
      const open = page.getByRole('region', { name: 'Open payments' });
      await expectVisibleToPerson(open.getByText('Your payment waits for a look at the name'));
      await expectVisibleToPerson(open.getByText(`The name looks like that of ${name}.`));
      await readNotice(page, `because its name looks like that of ${name}`);

      const owner = await enterAsOwner(browser);
      await press(owner.getByRole('tab', { name: 'Moderation' }));
      const queue = owner.getByRole('region', { name: 'Names that look alike' });
      const row = queue.getByRole('listitem').filter({ hasText: copy });
      await expectVisibleToPerson(row.getByText(copy, { exact: true }));
      await expectVisibleToPerson(row.getByText(name, { exact: true }));
      await look(owner);
      await press(row.getByRole('button', { name: `Decline ${copy}` }));
      const dialog = owner.getByRole('dialog', { name: 'Decline the name' });
      await dialog.getByLabel('Reason').fill('Copies another listing');
      await press(dialog.getByRole('button', { name: 'Decline' }));
      await expectToast(owner, 'Name declined');
      await expect(row).toHaveCount(0);
      await owner.context().close();

      await page.bringToFront();
      await chooseInMenu(page, 'Profile');
      await readNotice(page, 'Copies another listing');
      await expectVisibleToPerson(
        page.getByRole('region', { name: 'Open payments' }).getByText(/Copies another listing/),
      );
    });
  });
}
