/** The main button of each dialog, on small screens and large ones; those of the sign-in are in front-door/guest.e2e.ts. */
import type { Page } from '@playwright/test';
import { enterPassword, expect, grantTokens, test, toastOf } from './fixtures.ts';
import { expectActionInSight } from './fit.ts';
import { payForListing, plantListing } from './listing.ts';
import { installWallets } from './made-wallets.ts';
import { uniqueText } from './unique.ts';

const longName = () => `WWWWWWWW ${uniqueText()} `.repeat(6).slice(0, 60).trim();

interface Opened {
  opener: string | RegExp;
  action: string | RegExp;
}

async function expectEachInSight(page: Page, dialogs: readonly Opened[]): Promise<void> {
  for (const { opener, action } of dialogs) {
    await page.getByRole('main').getByRole('button', { name: opener }).first().click();
    const dialog = page.getByRole('dialog');
    await expectActionInSight(dialog.getByRole('button', { name: action, exact: true }), `'${action}'`);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
  }
}

test("the main button of each of a user's dialogs is whole on a screen of any size, and so is the error that it causes", async ({
  page,
  newUser,
  database,
}) => {
  const { id, address } = await newUser();
  await grantTokens(database, id, 1_000);
  const own = { wallet: address };
  const [hidden] = [await plantListing(database, own), await plantListing(database, own)];
  await database.query(
    "UPDATE projects SET hidden_at = now(), hidden_reason = 'Copies another project' WHERE id = $1",
    [hidden.id],
  );
  await payForListing(database, hidden.name);
  await page.goto('/portfolio');
  await expectEachInSight(page, [
    { opener: 'Withdraw Tokens', action: 'Withdraw Tokens' },
    { opener: /^Update \(5 SUI\)/, action: 'Pay 5 SUI & Update' },
    { opener: /^Appeal against hiding/, action: 'Send appeal' },
  ]);
  await page.goto('/profile');
  await expectEachInSight(page, [
    { opener: 'Delete account', action: 'Delete account' },
    { opener: 'Sign out everywhere', action: 'Sign out everywhere' },
  ]);
  const listing = await plantListing(database, {
    name: longName(),
    coinType: `0x${'ab'.repeat(32)}::${'long_'.repeat(10)}::COIN`,
  });
  await page.goto(`/projects/${listing.slug}`);
  await expectEachInSight(page, [
    { opener: 'This is mine', action: 'Claim this listing' },
    { opener: /^Report/, action: 'Send report' },
  ]);
  await page.setViewportSize({ width: 844, height: 390 });
  await page
    .getByRole('button', { name: /^Report/ })
    .first()
    .click();
  const report = page.getByRole('dialog');
  await report.getByRole('textbox').scrollIntoViewIfNeeded();
  await report.getByRole('button', { name: 'Send report' }).click();
  await expect(report.getByRole('alert')).toBeInViewport({ ratio: 0.99 });
});

test('the main button of each dialog of the admin panel is whole on a screen of any size, without scrolling', async ({
  page,
  newAdmin,
  database,
}) => {
  await newAdmin();
  const { name } = await plantListing(database, { name: longName(), days: [40, -3] });
  await page.goto('/admin');
  await enterPassword(page);
  await toastOf(page).getByRole('button', { name: 'Close' }).click();
  await page.getByRole('tab', { name: 'Moderation' }).click();
  await page.getByRole('searchbox').first().fill(name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  await expectEachInSight(page, [
    { opener: /^Hide/, action: 'Hide' },
    { opener: `Coin of ${name}`, action: 'Set coin' },
  ]);
});

test('with many wallets the first ones, and what to do without one, are seen on a screen of any size', async ({
  page,
}) => {
  const names = ['Slush', 'Nightly', 'Suiet', 'Phantom', 'Surf', 'Backpack', 'Martian', 'W'.repeat(40)];
  await installWallets(
    page,
    names.map((name) => ({ name, features: ['sui:signPersonalMessage', 'sui:signTransaction'] })),
  );
  await page.goto('/');
  await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('list', { name: 'Wallets' }).getByRole('listitem').first()).toBeInViewport({
    ratio: 0.99,
  });
  await dialog.getByRole('button', { name: 'What is a Wallet?' }).click();
  await expectActionInSight(dialog.getByRole('button', { name: 'Get Started' }), "'Get Started'");
  await dialog.getByRole('button', { name: 'Get Started' }).click();
  await expectActionInSight(dialog.getByRole('button', { name: 'Back to wallets' }), "'Back to wallets'");
});
