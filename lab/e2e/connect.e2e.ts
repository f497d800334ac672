import { expect, test } from './fixtures.ts';

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
