import { SESSION_COOKIE } from '#shared/constants.ts';
import { expectAccessible } from './accessibility.ts';
import { logIn } from './admin.ts';
import { responseError, expect, OWN_READS_401, test } from './fixtures.ts';
import { failSilently, reject } from './made-up.ts';

test("three gates: 'Wallet Not Connected', 'Access Denied', 'Admin Login' [S2.38 S2.39 S6.3]", async ({
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

test('a login that fails for another reason than the password says which, and keeps what was typed [S8.17]', async ({
  page,
  newAdmin,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/admin/login'));
  allowed.push(responseError(429, '/api/admin/login'));
  await newAdmin();
  await page.goto('/admin');
  const password = page.getByLabel('Password');
  const cases: Array<[status: number, body: { error: string; message: string } | null, text: RegExp]> = [
    [
      503,
      { error: 'unavailable', message: 'The database does not respond. Try again.' },
      /The database does not respond/,
    ],
    [
      429,
      { error: 'locked', message: 'Too many wrong passwords. Try again in 15 minutes.' },
      /Try again in 15 minutes/,
    ],
    [503, null, /Login failed/],
  ];
  for (const [status, body, text] of cases) {
    await page.route('**/api/admin/login', (route) =>
      body === null ? failSilently(route, status) : reject(route, status, body),
    );
    await password.fill('snapswipe-e2e');
    await page.getByRole('button', { name: 'Login' }).click();
    await expect(password).toHaveAccessibleDescription(text);
    await expect(password).toHaveValue('snapswipe-e2e');
    await page.unroute('**/api/admin/login');
  }
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

test('the statements of the SQL console do not outlive the admin session: logout, disconnect, end by time [S4.9 R31]', async ({
  page,
  newAdmin,
  database,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  const history = () => page.evaluate(() => localStorage.getItem('snapswipe_sql_history'));
  /** Runs a statement that names a user; the history then contains it. */
  async function runQuery(): Promise<void> {
    await page.getByRole('tab', { name: /SQL/ }).click();
    await page.getByLabel('SQL query').fill("SELECT * FROM users WHERE username = 'nemo'");
    await page.getByRole('button', { name: 'Run Query' }).click();
    await expect(page.getByText('History (1)')).toBeVisible();
    // The history is written before the response: a session that ended in between would reject it.
    await expect(page.getByRole('region', { name: 'Result' })).toBeVisible();
    expect(await history()).toContain('nemo');
  }
  async function expectNoHistory(): Promise<void> {
    expect(await history()).toBeNull();
    await logIn(page);
    await page.getByRole('tab', { name: /SQL/ }).click();
    await expect(page.getByLabel('SQL query')).toHaveValue('');
    await expect(page.getByText(/^History/)).toHaveCount(0);
  }
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);
  await runQuery();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible();
  await expectNoHistory();

  // Eight hours later: the next call is rejected.
  await runQuery();
  const cookie = (await page.context().cookies()).find(({ name }) => name === SESSION_COOKIE);
  const ended = await database.query(
    "UPDATE admin_sessions SET expires_at = now() WHERE session_hash = sha256(convert_to($1, 'UTF8'))",
    [cookie?.value],
  );
  expect(ended.rowCount).toBeGreaterThan(0);
  await page.getByRole('tab', { name: 'Payments' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Login' })).toBeVisible();
  await expectNoHistory();

  // Where the admin's page was never opened since the page was loaded.
  await runQuery();
  await page.goto('/leaderboard');
  await page.getByRole('button', { name: /0x03ef\.\.\.1d47|sandbox-admin/ }).click();
  await page.getByRole('menuitem', { name: 'Disconnect Wallet' }).click();
  await expect(page.getByRole('button', { name: 'Connect Wallet' }).first()).toBeVisible();
  expect(await history()).toBeNull();
});
