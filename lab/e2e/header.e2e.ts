import type { Page } from '@playwright/test';
import { expect, grantTokens, test } from './fixtures.ts';

const headerOf = (page: Page) => page.getByRole('banner');
const heightOf = async (page: Page) => (await headerOf(page).boundingBox())?.height;

test('the header is 128 px high and shows a visitor logo, theme and wallet, but no own links [S1.6 S6.2]', async ({
  page,
}) => {
  await page.goto('/leaderboard');
  const header = headerOf(page);
  await expect(header.getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
  expect(await heightOf(page)).toBe(128);
  await expect(header.getByRole('button', { name: /Switch to (light|dark) theme/ })).toBeVisible();
  for (const name of ['Profile', 'Submit Project', /\d Snaps$/])
    await expect(header.getByRole('link', { name })).toHaveCount(0);
  await header.getByRole('link', { name: 'Snapswipe, home' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('the header shows a connected user Profile, Submit Project and the balance with its thousands [S1.6 S6.2]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  await grantTokens(database, user.id, 12_340);
  await page.goto('/leaderboard');
  const header = headerOf(page);
  await expect(header.getByRole('link', { name: '12,340 Snaps' })).toHaveAttribute('href', '/portfolio');
  expect(await heightOf(page)).toBe(128);
  await expect(header.getByRole('link', { name: 'Profile' })).toHaveAttribute('href', '/profile');
  await expect(header.getByRole('link', { name: 'Submit Project' })).toHaveAttribute('href', '/submit-project');
  await expect(header.getByRole('button', { name: /^0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}$/ })).toBeVisible();
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });
  test('the header writes thousands as a German browser does [S1.6]', async ({ page, newUser, database }) => {
    const user = await newUser();
    await grantTokens(database, user.id, 12_340);
    await page.goto('/leaderboard');
    await expect(headerOf(page).getByRole('link', { name: '12.340 Snaps' })).toBeVisible();
  });
});

test('the account menu opens, moves and closes by keyboard, under a shortened address [S2.10 S3.13 S9.12]', async ({
  page,
  newUser,
}) => {
  const { address } = await newUser();
  await page.goto('/leaderboard');
  const account = headerOf(page).getByRole('button', { name: `${address.slice(0, 6)}...${address.slice(-4)}` });
  await account.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Disconnect Wallet' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(account).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/portfolio$/);
});

const overlappingDigits = (page: Page) =>
  headerOf(page)
    .getByText(/^0x[0-9a-f]{4}\.\.\.[0-9a-f]{4}$/)
    .evaluate((address) =>
      Array.from('0123456789abcdef').filter((digit) => {
        address.textContent = `0x${digit.repeat(4)}...${digit.repeat(4)}`;
        const boxes = [...(address.closest('header')?.querySelectorAll('a, button') ?? [])]
          .map((part) => part.getBoundingClientRect())
          .filter((box) => box.width > 0)
          .sort((a, b) => a.left - b.left);
        return boxes.some((box, i) => i > 0 && box.left < (boxes[i - 1]?.right ?? 0) - 1);
      }),
    );

test('the header with a long balance fits between 320 and 2560 px [S1.6]', async ({ page, newUser, database }) => {
  const user = await newUser();
  await grantTokens(database, user.id, 1_234_567);
  await page.goto('/leaderboard');
  await expect(headerOf(page).getByRole('link', { name: '1,234,567 Snaps' })).toBeVisible();
  for (const width of [320, 360, 390, 639, 640, 767, 768, 1023, 1024, 1100, 1280, 1920, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => heightOf(page)).toBe(width < 768 ? 80 : 128);
    const reach = await headerOf(page).evaluate((header) =>
      Math.max(...[...header.querySelectorAll('a, button')].map((part) => part.getBoundingClientRect().right)),
    );
    expect(reach, `at ${width} px`).toBeLessThanOrEqual(width);
    expect(await overlappingDigits(page), `overlap at ${width} px`).toEqual([]);
  }
});
