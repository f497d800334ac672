/** A star that a visitor presses, and what it follows on card, page, leaderboard and in the portfolio. */
import type { Locator, Page } from '@playwright/test';
import { chooseInMenu, expect, logo, press, sign, test, topCard, walletDialog } from './door.ts';
import { expectContentAlive, expectVisibleToPerson } from './see.ts';

const starOf = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name: `Follow ${name}`, exact: true });

async function expectPressed(star: Locator, isPressed: boolean): Promise<void> {
  await expectVisibleToPerson(star);
  await expect(star).toHaveAttribute('aria-pressed', String(isPressed));
  const box = await star.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
}

test('a visitor presses a star, signs in and follows, and a star on a card is one everywhere, until it ends in the portfolio [R91]', async ({
  page,
}) => {
  await page.goto('/projects/tidepool-swap');
  const first = starOf(page, 'Tidepool Swap');
  await expectPressed(first, false);
  await press(first);
  const choice = page.getByRole('dialog', { name: 'Connect Wallet' });
  await expectVisibleToPerson(choice.getByText(/^Sign in to follow Tidepool Swap\./));
  await press(choice.getByRole('button', { name: 'Sandbox Wallet' }));
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  await sign(page);
  await expectPressed(first, true);

  await press(logo(page));
  if ((await topCard(page).getAttribute('aria-label')) === 'Tidepool Swap') {
    await press(page.getByRole('button', { name: 'Skip', exact: true }));
    await expect(topCard(page)).not.toHaveAttribute('aria-label', 'Tidepool Swap');
  }
  const name = (await topCard(page).getAttribute('aria-label')) ?? '';
  const onCard = starOf(topCard(page), name);
  await expectPressed(onCard, false);
  await press(onCard);
  await expectPressed(onCard, true);
  await press(topCard(page).getByRole('link', { name: /, details$/ }));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expectPressed(starOf(page.getByRole('article').first(), name), true);

  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }));
  await press(page.getByRole('searchbox', { name: 'Search' }));
  await page.keyboard.type(name);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  await expectPressed(starOf(row, name), true);

  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('button', { name: 'Followed', exact: true }));
  const list = page.getByRole('list', { name: 'Projects you follow' });
  await expectVisibleToPerson(list.getByRole('link', { name: 'Tidepool Swap' }));
  await press(starOf(list, name));
  await expectPressed(starOf(list, name), false);
  await expectContentAlive(page);
  await page.goBack();
  await expectPressed(starOf(row, name), false);
});
