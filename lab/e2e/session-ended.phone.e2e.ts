import type { Page } from '@playwright/test';
import { SESSION_CACHE_KEY, SESSION_COOKIE } from '#shared/constants.ts';
import { expectAccessible } from './accessibility.ts';
import { deckOf, expect, grantTokens, OWN_READS_401, test, topCardOf } from './fixtures.ts';

/** Ends the page's session as another device that has the same cookie would. */
async function endElsewhere(page: Page): Promise<void> {
  const cookies = await page.context().cookies();
  const { value } = cookies.find(({ name }) => name === SESSION_COOKIE) ?? { value: '' };
  const headers = { cookie: `${SESSION_COOKIE}=${value}` };
  await fetch(new URL('/api/auth/logout', page.url()), { method: 'POST', headers });
}

test('a dialog with own data hides with its ended session, and returns with the typed text', async ({
  page,
  database,
  signIn,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await page.goto('/');
  await signIn();
  const cached = await page.evaluate((key) => localStorage.getItem(key), SESSION_CACHE_KEY);
  const { user } = JSON.parse(cached ?? '{}') as { user: { id: number } };
  await grantTokens(database, user.id, 500);
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
  await expect(topCardOf(page)).toBeInViewport();
  await expectAccessible(page);
});
