import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const shown = (page: Page) => page.locator('html');

async function watchThemes(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { themesSeen: seen });
    const note = () => {
      if (!document.body) return;
      const theme = document.documentElement.dataset.theme ?? '';
      if (seen.at(-1) !== theme) seen.push(theme);
    };
    new MutationObserver(note).observe(document, { attributes: true, childList: true, subtree: true });
  });
  return () => page.evaluate(() => (window as unknown as { themesSeen: string[] }).themesSeen);
}

test("the first theme is the system's; another choice is saved and survives a reload without a flash [S4.3 S1.6 S3.14]", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const themesSeen = await watchThemes(page);
  await page.goto('/leaderboard');
  await expect(shown(page)).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull();

  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(shown(page)).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');

  await page.reload();
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
  await expect(shown(page)).toHaveAttribute('data-theme', 'dark');
  expect(await themesSeen()).toEqual(['dark']);
  // The server has drawn this button already: a press before the code runs is repeated by the code.
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await expect(shown(page)).toHaveAttribute('data-theme', 'light');
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light');
});

test('the theme follows the system as long as none is chosen, also while the page is open [S4.3]', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/leaderboard');
  await expect(shown(page)).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(shown(page)).toHaveAttribute('data-theme', 'dark');
});

const styleOf = (part: Locator, property: string) =>
  part.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test.describe('forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('forced colors keep the shape of buttons, the chosen order, and the share behind a line', async ({ page }) => {
    await page.goto('/leaderboard');
    const canvas = await styleOf(page.locator('body'), 'background-color');
    const connect = page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' });
    expect(await styleOf(connect, 'border-top-width')).toBe('1px');
    expect(await styleOf(connect, 'border-top-color')).not.toBe(canvas);
    const order = (name: string) => page.getByRole('navigation', { name: 'Order' }).getByRole('link', { name });
    expect(await styleOf(order('Bullish'), 'background-color')).not.toBe(
      await styleOf(order('New'), 'background-color'),
    );
    const ground = page.getByRole('main').locator('li [style*="width"]').first();
    expect(await styleOf(ground, 'outline-style')).toBe('solid');
  });
});
