/** A paid listing whose name looks like another one is live at once, marked, without links, until a moderator clears the mark. */
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

test('a paid look-alike reads before paying what its mark means, is marked without links, and shows them once a moderator has looked [R74]', async ({
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
  await chooseInMenu(page, 'Submit Project');
  await expectScreenAlive(page, 'Submit Your Project');
  await fillListing(page, copy);
  await expectVisibleToPerson(page.getByRole('status').filter({ hasText: `This name looks like ${name}` }));
  await press(page.getByRole('button', { name: 'Pay 15 SUI & Submit Project' }));
  await signTransaction(page);
  await press(page.getByRole('dialog', { name: 'Your project is live!' }).getByRole('button', { name: 'Close' }));
  await followNotice(page, `${copy} is marked 'Looks like ${name}'`);
  await expectScreenAlive(page, copy);
  await expectVisibleToPerson(page.getByText(new RegExp(`^Looks like ${name}, listed since`)).first());
  await expect(page.getByRole('main').getByRole('link', { name: /^Twitter/ })).toHaveCount(0);

  const owner = await enterAsAdmin(browser, 'Moderation');
  const queue = owner.getByRole('region', { name: 'Names that look alike' });
  const row = queue.getByRole('listitem').filter({ hasText: copy });
  await expectVisibleToPerson(row.getByText(copy, { exact: true }));
  await expectVisibleToPerson(row.getByText(name, { exact: true }));
  await look(owner);
  await press(row.getByRole('button', { name: `Clear the mark of ${copy}` }));
  await expectToast(owner, 'Mark cleared');
  await expect(row).toHaveCount(0);
  await owner.context().close();

  await page.bringToFront();
  await chooseInMenu(page, 'Profile');
  await followNotice(page, `${copy} no longer shows`);
  await expectVisibleToPerson(page.getByRole('main').getByRole('link', { name: /^Twitter/ }));
});
