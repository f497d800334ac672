import { expectAccessible } from './accessibility.ts';
import { enterPassword, expect, OWN_READS_401, test } from './fixtures.ts';

test('the token resumes the admin panel on the next visit; logout and disconnecting the wallet end it [S4.9 S7.21 S3.14]', async ({
  page,
  newAdmin,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await newAdmin();
  await page.goto('/admin');
  await enterPassword(page);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
  await expectAccessible(page);

  const token = () => page.evaluate(() => localStorage.getItem('snapswipe_admin_token'));
  const first = (await token()) ?? '';
  expect(first).not.toBe('');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Logged Out', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible();
  expect(await token()).toBeNull();
  const reused = await page.request.get('/api/admin/audit', { headers: { 'x-admin-token': first } });
  expect(reused.status()).toBe(401);

  await enterPassword(page);
  await page.getByRole('button', { name: /0x03ef\.\.\.1d47|sandbox-admin/ }).click();
  await page.getByRole('menuitem', { name: 'Disconnect Wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Wallet Not Connected' })).toBeVisible();
  expect(await token()).toBeNull();
});
