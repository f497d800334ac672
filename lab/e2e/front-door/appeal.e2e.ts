/** A paid listing is hidden: its owner appeals once, and the admin sends the fee back and answers. */
import { expectActionInSight } from '../fit.ts';
import { payForListing, plantListing } from '../listing.ts';
import { chooseInMenu, enterAsAdmin, expect, expectToast, press, signIn, signTransaction, test } from './door.ts';
import { hideProject } from './moderation.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

test('the owner of a hidden paid listing appeals once, and gets the fee back with an answer [R80]', async ({
  page,
  browser,
  database,
}) => {
  await page.goto('/');
  // Expired, so that no deck of another journey deals it.
  const { name } = await plantListing(database, { wallet: await signIn(page), days: [40, -3] });
  await payForListing(database, name);
  const note = `We were first: ${name}`;
  const owner = await enterAsAdmin(browser, 'Moderation');
  await hideProject(owner, name);

  await page.bringToFront();
  await chooseInMenu(page, 'Portfolio');
  await expectScreenAlive(page, 'Your Portfolio');
  const card = page.getByRole('article').filter({ hasText: name });
  await expectVisibleToPerson(card.getByText('Hidden by the admin: Copies another project'));
  const appeal = card.getByRole('button', { name: `Appeal against hiding ${name}` });
  await press(appeal);
  await page.getByLabel('Your note').fill(note);
  await press(page.getByRole('dialog', { name: 'Appeal' }).getByRole('button', { name: 'Send appeal' }));
  await expectToast(page, 'Appeal sent');
  await expectVisibleToPerson(card.getByText('Not answered yet. The answer is shown here.'));
  await expect(appeal).toHaveCount(0);

  await owner.bringToFront();
  await press(owner.getByRole('tab', { name: 'Votes' }));
  const row = owner.getByRole('region', { name: 'Appeals' }).getByRole('listitem').filter({ hasText: note });
  await press(row.getByRole('button', { name: `Refund the fee of ${name}` }));
  const refund = owner.getByRole('dialog', { name: 'Mark as refunded' });
  await refund.getByLabel('Reason').fill('We cannot list it');
  // All journeys share the admin's wallet: a coin that another one spends at that moment fails, and is sent again.
  await expect(async () => {
    await press(refund.getByRole('button', { name: /^Send 15 SUI/ }));
    await signTransaction(owner);
    await expect(refund.getByLabel('Digest of the refund')).toHaveValue(/^\w{40,44}$/, { timeout: 5_000 });
  }).toPass();
  const done = refund.getByRole('button', { name: 'Mark as refunded' });
  await expectActionInSight(done, 'Mark as refunded');
  await press(done);
  await expectToast(owner, 'Marked as refunded');
  await expectVisibleToPerson(row.getByText('15 SUI refunded'));
  await press(row.getByRole('button', { name: /^Answer appeal/ }));
  const answer = owner.getByRole('dialog', { name: /^Answer appeal/ });
  await answer.getByLabel('Answer').fill('The other one was first');
  await press(answer.getByRole('button', { name: 'Send answer' }));
  await expectToast(owner, 'Appeal answered');
  await owner.context().close();

  await page.bringToFront();
  await chooseInMenu(page, 'Profile');
  await chooseInMenu(page, 'Portfolio');
  await expectVisibleToPerson(card.getByText('The other one was first'));
  await expectVisibleToPerson(card.getByText('Your fee of 15 SUI was sent back'));
});
