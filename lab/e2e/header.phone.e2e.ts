import { expectAccessible, waitForAnimations } from './accessibility.ts';
import { expect, grantTokens, test } from './fixtures.ts';

test('on a phone the header is 80 px high and does not move when the menu comes, which has Profile and Submit Project [S1.6 S2.10]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  await grantTokens(database, user.id, 12_340);
  let letMenuCome = () => {};
  const menuMayCome = new Promise<void>((resolve) => (letMenuCome = resolve));
  await page.route('**/assets/account-menu-*', async (route) => {
    await menuMayCome;
    await route.continue();
  });
  await page.goto('/leaderboard');
  const header = page.getByRole('banner');
  const balance = header.getByRole('link', { name: '12,340 Snaps' });
  await expect(balance).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const before = await balance.boundingBox();
  letMenuCome();
  await expect(header.getByRole('button', { name: 'Notifications' })).toBeVisible();
  const after = await balance.boundingBox();
  expect(Math.abs((after?.x ?? NaN) - (before?.x ?? NaN)), 'the balance stays where it is').toBeLessThan(1);
  expect((await header.boundingBox())?.height).toBe(80);
  await expect(header.getByRole('link', { name: /Profile|Submit Project/ })).toHaveCount(0);
  await expect(header.getByRole('button', { name: /Switch to (light|dark) theme/ })).toBeVisible();

  const account = header.getByRole('button', { name: /^0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}$/ });
  await account.tap();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeVisible();
  await waitForAnimations(page);
  for (const name of ['Profile', 'Portfolio', 'Submit Project', 'Disconnect Wallet']) {
    const box = await page.getByRole('menuitem', { name }).boundingBox();
    expect(box?.height ?? 0, name).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  }
  await expectAccessible(page);
});
