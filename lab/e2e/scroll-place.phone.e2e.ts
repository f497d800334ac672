import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const rowsOf = (page: Page) => page.getByRole('main').getByRole('list').getByRole('listitem');
const placeOf = (page: Page) => page.evaluate(() => Math.round(scrollY));
const orderLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Order' }).getByRole('link', { name });

async function scrollDown(page: Page, px: number): Promise<number> {
  await expect(async () => {
    await page.mouse.wheel(0, 400);
    expect(await placeOf(page)).toBeGreaterThan(px);
  }).toPass({ intervals: [30] });
  let before = -1;
  await expect(async () => {
    const last = before;
    before = await placeOf(page);
    expect(before).toBe(last);
  }).toPass({ intervals: [100] });
  return before;
}

async function rowInSight(page: Page): Promise<{ name: string; top: number }> {
  return page.evaluate(() => {
    for (const row of document.querySelectorAll('main li')) {
      const { top } = row.getBoundingClientRect();
      if (top > 60) return { name: row.querySelector('.display')?.textContent ?? '', top: Math.round(top) };
    }
    return { name: '', top: 0 };
  });
}

test('the leaderboard keeps its place and its order on Back from a project, after a reload too [S2.37 R27]', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }).tap();
  await orderLink(page, 'Verified').tap();
  const place = await scrollDown(page, 3000);
  const row = await rowInSight(page);
  await rowsOf(page).filter({ hasText: row.name }).first().tap();
  await expect(page.getByRole('heading', { level: 1, name: row.name })).toBeVisible();
  expect(await placeOf(page)).toBe(0);

  const isBack = async () => {
    await expect(orderLink(page, 'Verified')).toHaveAttribute('aria-current', 'page');
    await expect.poll(() => placeOf(page)).toBe(place);
    expect(await rowInSight(page)).toEqual(row);
  };
  await page.goBack();
  await isBack();
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: row.name })).toBeVisible();
  await page.reload();
  await page.goBack();
  await isBack();
  await page.reload();
  await isBack();
});

test('the place is kept right after a fling, and a finger that moves on is not pulled back [S2.37]', async ({
  page,
}) => {
  await page.goto('/leaderboard');
  await scrollDown(page, 2500);
  await page.mouse.wheel(0, 300);
  await page.evaluate(() => {
    for (const row of document.querySelectorAll('main li')) {
      if (row.getBoundingClientRect().top < 100) continue;
      row.querySelector('a')?.click();
      return;
    }
  });
  await expect(page.getByRole('heading', { name: /^Reviews/ })).toBeVisible();
  await page.goBack();
  await expect.poll(() => placeOf(page)).toBeGreaterThan(2500);
  const place = await placeOf(page);
  await page.mouse.wheel(0, -2000);
  await expect.poll(() => placeOf(page)).toBe(place - 2000);
});
