import { expectAccessible, waitForAnimations } from './accessibility.ts';
import { expect, grantTokens, test } from './fixtures.ts';

test('on a phone the header is 80 px high; Profile and Submit Project are in the menu only [S1.6 S2.10]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  await grantTokens(database, user.id, 12_340);
  await page.goto('/leaderboard');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: '12,340 Snaps' })).toBeVisible();
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
