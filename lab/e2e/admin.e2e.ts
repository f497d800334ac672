import { expectAccessible } from './accessibility.ts';
import { logIn } from './admin.ts';
import { responseError, expect, OWN_READS_401, test } from './fixtures.ts';
import { failSilently } from './made-up.ts';

test("the admin panel has three gates: 'Wallet Not Connected', 'Access Denied', 'Admin Login' [S2.38 S2.39 S6.3]", async ({
  page,
  signIn,
  newUserElsewhere,
  allowed,
}) => {
  allowed.push(responseError(401, '/api/admin/login'));
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Wallet Not Connected' })).toBeVisible();

  const other = await newUserElsewhere();
  await other.page.goto('/admin');
  await expect(other.page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(other.page.getByText(/0x03ef\.\.\.1d47|0x03ef.*1d47/).first()).toBeVisible();

  await signIn({ admin: true });
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible();
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Login Failed', { exact: true })).toBeVisible();
  await expect(page.getByText('Invalid password').first()).toBeVisible();
  const password = page.getByLabel('Password');
  await expect(password).toHaveAccessibleDescription(
    /^Wrong password\. After 5 in a row the login is locked for 15 minutes\./,
  );
  await logIn(page);
});

test('the token resumes the admin panel on the next visit; logout and disconnecting the wallet end it [S4.9 S7.21 S3.14]', async ({
  page,
  newAdmin,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);
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

  await logIn(page);
  await page.getByRole('button', { name: /0x03ef\.\.\.1d47|sandbox-admin/ }).click();
  await page.getByRole('menuitem', { name: 'Disconnect Wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Wallet Not Connected' })).toBeVisible();
  expect(await token()).toBeNull();
});

test('a pause that fails shows an error, and the switch stays where it was [S8.19]', async ({
  page,
  newAdmin,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/admin/config'));
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);
  await page.route('**/api/admin/config', (route) => failSilently(route));
  const pause = page.getByRole('switch', { name: 'Pause withdrawals' });
  await pause.click();
  await expect(page.getByText('Failed to toggle withdrawal pause', { exact: true })).toBeVisible();
  await expect(pause).not.toBeChecked();
});
