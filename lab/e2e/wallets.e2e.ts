import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { fundWallet } from './chain.ts';
import { expect, test } from './fixtures.ts';
import { installWallets } from './made-wallets.ts';
import { fillListing } from './listing.ts';
import { uniqueText } from './unique.ts';

const ALL = ['sui:signPersonalMessage', 'sui:signTransaction', 'sui:signAndExecuteTransaction'] as const;

async function openWallets(page: Page) {
  await page.goto('/');
  await page.getByRole('button', { name: 'Connect Wallet' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
  const wallets = dialog.getByRole('list', { name: 'Wallets' }).getByRole('button');
  await expect(wallets.first()).toBeVisible();
  return { dialog, wallets };
}

function partsOutside(dialog: Element): string[] {
  const { left, right } = dialog.getBoundingClientRect();
  return [...dialog.querySelectorAll('*')]
    .filter((part) => part.getClientRects().length > 0 && !part.closest('.sr-only') && !part.closest('svg *'))
    .filter((part) => {
      const box = part.getBoundingClientRect();
      return box.left < left - 1 || box.right > right + 1;
    })
    .map((part) => part.textContent.slice(0, 40));
}

test('a wallet that cannot sign messages is marked before it is picked, and the mark can be read by keyboard [S2.10 R1]', async ({
  page,
}) => {
  await installWallets(page, [{ name: 'Mute Wallet', features: ['sui:signTransaction'] }]);
  const { dialog, wallets } = await openWallets(page);
  const mute = wallets.filter({ hasText: 'Mute Wallet' });
  await expect(mute).toContainText('This wallet cannot sign messages, so it cannot sign you in.');
  await expect(mute).toHaveAttribute('aria-disabled', 'true');
  await wallets.filter({ hasText: 'Sandbox Wallet' }).focus();
  await page.keyboard.press('Tab');
  await expect(mute).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Opening a wallet')).toHaveCount(0);
  await expect(mute).toBeVisible();
  await expectAccessible(page);
});

test('a wallet that signs only what it sends is listed, signs in and pays [R17 S2.24]', async ({ page, database }) => {
  const { keypair } = await installWallets(page, [
    { name: 'Sender', features: ['sui:signPersonalMessage', 'sui:signAndExecuteTransaction'] },
  ]);
  await fundWallet(keypair.toSuiAddress());
  const { wallets } = await openWallets(page);
  await wallets.filter({ hasText: 'Sender' }).click();
  await page.getByRole('dialog', { name: 'Sign in' }).getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('banner').getByRole('link', { name: 'Submit Project' }).click();
  await fillListing(page, `Harbor ${uniqueText()}`);
  await page.getByRole('button', { name: 'Pay 15 SUI & Submit Project' }).click();
  await expect(page.getByText('Project submitted successfully!', { exact: true })).toBeVisible();
  expect(await page.evaluate('madeWalletCalls')).toEqual(['signAndExecuteTransaction']);
  const { rows } = await database.query(
    `SELECT state FROM payments JOIN users ON users.id = user_id WHERE wallet_address = $1`,
    [keypair.toSuiAddress()],
  );
  expect(rows).toEqual([{ state: 'fulfilled' }]);
});

test('names of any length keep to their line in every step of the dialog, on narrow and wide screens [S2.10]', async ({
  page,
}) => {
  const name = `The Very Long Wallet ${'of the Northern Harbour '.repeat(6)}`.trim();
  await installWallets(page, [
    { name: 'Slush — A Sui wallet', features: ALL, icon: 'data:image/png;base64,AAAA' },
    { name, features: ALL },
  ]);
  const { dialog, wallets } = await openWallets(page);
  const isInside = async (shown: Locator) => {
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      expect.soft(await shown.evaluate(partsOutside), `at ${width} px`).toEqual([]);
    }
  };
  await isInside(dialog);
  await expect(wallets.filter({ hasText: 'Very Long' }).getByTitle(name)).toBeVisible();
  await expect(wallets.filter({ hasText: 'Slush' }).locator('[data-picture=missing]')).toBeVisible();
  await wallets.filter({ hasText: 'Very Long' }).click();
  const signIn = page.getByRole('dialog', { name: 'Sign in' });
  await expect(signIn.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await isInside(signIn);
});

test('no wallet or chain code is loaded before a visitor reaches for a wallet', async ({ page }) => {
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.url());
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((url) => /wallet-module|register-/.test(url))).toEqual([]);
  await openWallets(page);
  expect(scripts.some((url) => url.includes('wallet-module'))).toBe(true);
});
