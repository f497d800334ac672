/** A paid listing whose name looks like another one waits; a moderator sees both side by side and declines or lists it. */
import type { Page } from '@playwright/test';
import { fillListing, plantListing } from '../listing.ts';
import { uniqueText } from '../unique.ts';
import {
  chooseInMenu,
  enterAsAdmin,
  expect,
  expectToast,
  followNotice,
  look,
  press,
  signIn,
  signTransaction,
  test,
} from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

async function payFor(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Submit Project');
  await expectScreenAlive(page, 'Submit Your Project');
  await fillListing(page, name);
  await press(page.getByRole('button', { name: 'Pay 15 SUI & Submit Project' }));
  await signTransaction(page);
  await expectToast(page, 'Your payment waits for a look at the name');
}

test('a paid look-alike waits beside the listing it copies, and its payer reads why it was declined [R74]', async ({
  page,
  browser,
  database,
}) => {
  const name = `Gull Cove ${uniqueText()}`;
  const copy = name.replace('Gull Cove ', 'GuII-C0ve-');
  // Expired, so that no other journey sees it.
  await plantListing(database, { name, days: [40, -9] });
  await page.goto('/');
  await signIn(page);
  await payFor(page, copy);
  await chooseInMenu(page, 'Portfolio');
  const open = page.getByRole('region', { name: 'Open payments' });
  await expectVisibleToPerson(open.getByText('Your payment waits for a look at the name'));
  await expectVisibleToPerson(open.getByText(`The name looks like that of ${name}.`));
  await followNotice(page, `because its name looks like that of ${name}`);

  const owner = await enterAsAdmin(browser, 'Moderation');
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
  await followNotice(page, 'Copies another listing');
  await expectVisibleToPerson(page.getByRole('region', { name: 'Open payments' }).getByText(/Copies another listing/));
});
