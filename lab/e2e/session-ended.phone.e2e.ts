import { expectAccessible } from './accessibility.ts';
import { deckOf, endElsewhere, expect, grantTokens, OWN_READS_401, sessionUser, test, topCard } from './fixtures.ts';

test('a dialog with own data hides with its ended session, and returns with the typed text', async ({
  page,
  database,
  signIn,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await page.goto('/');
  await signIn();
  await grantTokens(database, (await sessionUser(page)).id, 500);
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^[\d,]+ Snaps$/ })
    .click();
  await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  await dialog.getByLabel('Amount').fill('123');
  await endElsewhere(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Your session has ended' })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByRole('dialog', { name: 'Sign this message?' }).getByRole('button', { name: 'Sign' }).click();
  await expect(dialog.getByLabel('Amount')).toHaveValue('123');
});

test('beside the deck the offer is readable in both themes and leaves the card in sight', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await newUser();
  await page.clock.install();
  await page.goto('/');
  await expect(deckOf(page).getByText('25 votes left')).toBeVisible();
  await endElsewhere(page);
  await page.clock.fastForward(5_000);
  await expect(page.getByRole('alert').filter({ hasText: 'Your session has ended' })).toBeVisible();
  await expect(topCard(page)).toBeInViewport();
  await expectAccessible(page);
});
