import { expectAccessible } from '../accessibility.ts';
import { bellOf, expect, expectToast, pickWallet, press, sign, test, walletDialog } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

test('a visitor connects to report a review, and finds an empty bell [R51]', async ({ page }) => {
  await page.goto('/projects/tidepool-swap');
  await expectScreenAlive(page, 'Tidepool Swap');
  const button = page.getByRole('button', { name: /^Report the review by/ }).first();
  const name = (await button.getAttribute('aria-label')) ?? '';
  await pickWallet(page, button);
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  await sign(page);
  const dialog = page.getByRole('dialog', { name });
  await press(dialog.getByText('Spam or advertising'));
  await press(dialog.getByRole('button', { name: 'Send report' }));
  await expectToast(page, 'Report sent');
  await press(bellOf(page));
  const menu = page.getByRole('group', { name: 'Notifications' });
  await expectVisibleToPerson(menu.getByText(/^No notifications yet/));
  const [box, width] = [await menu.boundingBox(), page.viewportSize()?.width ?? 0];
  expect(box?.width ?? 0).toBeGreaterThan(width - 32);
  await expectAccessible(page);
});
