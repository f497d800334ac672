import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const placeOf = (page: Page) => page.evaluate(() => Math.round(scrollY));

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

test('the place is kept right after a fling, and a finger that moves on is not pulled back [S2.37]', async ({
  page,
}) => {
  await page.goto('/leaderboard');
  await scrollDown(page, 1500);
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
  await expect.poll(() => placeOf(page)).toBeGreaterThan(1500);
  const place = await placeOf(page);
  await page.mouse.wheel(0, -1000);
  await expect.poll(() => placeOf(page)).toBe(place - 1000);
});
