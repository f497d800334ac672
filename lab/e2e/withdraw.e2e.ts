import { expect, grantTokens, test, voteByButton, voteOverHttp } from './fixtures.ts';
import { waitForAnimations } from './accessibility.ts';
import { expectFits } from './fit.ts';

function isWhole(control: Element): boolean {
  const { x, y, width, height } = control.getBoundingClientRect();
  return [y + 2, y + height / 2, y + height - 2].every((at) =>
    control.contains(document.elementFromPoint(x + width / 2, at)),
  );
}

test('six votes earn enough for a withdrawal of at least 50 tokens [S1.4 S2.27 S5.5]', async ({ page, newUser }) => {
  const user = await newUser();
  await page.goto('/');
  await voteByButton(page, 'Bullish');
  await voteOverHttp(page.request, user.id, 5);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
  await dialog.getByLabel('Amount').fill('49');
  await dialog.getByRole('button', { name: 'Withdraw Tokens' }).click();
  await expect(dialog.getByText('Minimum withdrawal is 50 tokens')).toBeVisible();
  await dialog.getByLabel('Amount').fill('50');
  await dialog.getByRole('button', { name: 'Withdraw Tokens' }).click();
  await expect(page.getByText('Withdrawal requested!', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your withdrawals' }).getByText('50 Snaps')).toBeVisible();
});

for (const [width, height] of [
  [1366, 657],
  [320, 568],
] as const) {
  test(`the amount of a withdrawal is focused and whole on a screen of ${width}×${height}, its button never below Cancel [S2.32]`, async ({
    page,
    newUser,
    database,
  }) => {
    const user = await newUser();
    await grantTokens(database, user.id, 120);
    await page.setViewportSize({ width, height });
    await page.goto('/portfolio');
    await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
    const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
    const amount = dialog.getByLabel('Amount');
    await expect(amount).toBeFocused();
    await expect(dialog.getByRole('region', { name: 'Payout' })).toBeAttached();
    await waitForAnimations(page);
    for (const control of [amount, dialog.getByRole('button', { name: 'Max' })])
      expect(await control.evaluate(isWhole), String(control)).toBe(true);
    const [cancel, withdraw] = await Promise.all(
      ['Cancel', 'Withdraw Tokens'].map((name) => dialog.getByRole('button', { name }).boundingBox()),
    );
    expect(withdraw?.y ?? Infinity).toBeLessThanOrEqual(cancel?.y ?? 0);
    await expectFits(page, `the withdrawal on ${width}×${height}`);
  });
}
