import type { Locator } from '@playwright/test';
import { expect, grantTokens, test } from './fixtures.ts';
import { waitForAnimations } from './accessibility.ts';
import { expectFits } from './fit.ts';

/** Nothing covers the control, and none of it is scrolled away or outside the screen. */
function isWhole(control: Element): boolean {
  const { x, y, width, height } = control.getBoundingClientRect();
  return [
    [x + 2, y + height / 2],
    [x + width - 2, y + height / 2],
    [x + width / 2, y + 2],
    [x + width / 2, y + height - 2],
  ].every(([across = NaN, down = NaN]) => control.contains(document.elementFromPoint(across, down)));
}

test('amount, Max, and the buttons of a withdrawal are in sight together, on phones and laptops [S2.32]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  await grantTokens(database, user.id, 120);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  const amount = dialog.getByLabel('Amount');
  await expect(amount).toBeFocused();
  await expect(dialog.getByRole('region', { name: 'Payout' })).toBeAttached();
  const [max, cancel, withdraw] = ['Max', 'Cancel', 'Withdraw Tokens'].map((name) =>
    dialog.getByRole('button', { name }),
  ) as [Locator, Locator, Locator];
  for (const [width, height] of [
    [1366, 657],
    [390, 664],
    [320, 568],
  ] as const) {
    const size = `${width}×${height}`;
    await page.setViewportSize({ width, height });
    await waitForAnimations(page);
    for (const control of [amount, max, cancel, withdraw])
      expect(await control.evaluate(isWhole), `${String(control)} on ${size}`).toBe(true);
    expect((await cancel.boundingBox())?.y, `one row on ${size}`).toBe((await withdraw.boundingBox())?.y);
    await expectFits(page, `the withdrawal on ${size}`);
  }
});
