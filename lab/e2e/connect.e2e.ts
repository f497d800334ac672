import { expect, OWN_READS_401, test, WALLET_REJECTED } from './fixtures.ts';

test('the dialog explains what a wallet is and how to start [S2.10]', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
  await expect(dialog.getByRole('button', { name: /Sandbox Wallet/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'What is a Wallet?' }).click();
  await expect(dialog.getByRole('heading', { name: 'What is a Wallet?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Connect Wallet' }).first()).toBeFocused();
});

test("a rejected connection shows 'Connection failed' and can be retried [S2.10 S4.1]", async ({ page, allowed }) => {
  allowed.push(WALLET_REJECTED);
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
  await dialog.getByRole('button', { name: /Sandbox Wallet/ }).click();
  const wallet = page.getByRole('dialog', { name: 'Connect to Snapswipe?' });
  await expect(wallet).toBeVisible();
  await expect(page.getByText('Confirm connection in the wallet...')).toBeVisible();
  await wallet.getByRole('button', { name: 'Reject' }).click();
  await expect(dialog.getByText('Connection failed')).toBeVisible();
  await dialog.getByRole('button', { name: 'Retry Connection' }).click();
  await wallet.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
});

test('a rejected signature starts no session and can be retried; disconnecting ends the session [R1 S2.10]', async ({
  page,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click();
  await page
    .getByRole('dialog', { name: 'Connect Wallet' })
    .getByRole('button', { name: /Sandbox Wallet/ })
    .click();
  await page.getByRole('dialog', { name: 'Connect to Snapswipe?' }).getByRole('button', { name: 'Approve' }).click();
  const ask = page.getByRole('dialog', { name: 'Sign in' });
  await ask.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog', { name: 'Sign this message?' }).getByRole('button', { name: 'Reject' }).click();
  await expect(ask).toBeVisible();
  expect((await page.context().cookies()).filter((cookie) => cookie.name === 'snapswipe_session')).toEqual([]);

  await expect(ask.getByText('You declined the request in your wallet.')).toBeVisible();
  await ask.getByRole('button', { name: 'Try Again' }).click();
  await page.getByRole('dialog', { name: 'Sign this message?' }).getByRole('button', { name: 'Sign' }).click();
  const account = page.getByRole('button', { name: /0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}/ });
  await expect(account).toBeVisible();
  await account.click();
  for (const name of ['Profile', 'Portfolio', 'Submit Project'])
    await expect(page.getByRole('menuitem', { name })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Disconnect Wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Swipe. Vote. Earn.' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('snapswipe_user'))).toBeNull();
  await expect
    .poll(async () => (await page.context().cookies()).filter((cookie) => cookie.name === 'snapswipe_session'))
    .toEqual([]);
});

test('no wallet or chain code is loaded before a visitor reaches for a wallet', async ({ page }) => {
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.url());
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'How It Works' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((url) => /wallet-module|register-/.test(url))).toEqual([]);
  await page.getByRole('button', { name: 'Connect Wallet' }).first().hover();
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible();
  expect(scripts.some((url) => url.includes('wallet-module'))).toBe(true);
});
