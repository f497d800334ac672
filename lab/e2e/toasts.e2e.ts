import type { Page } from '@playwright/test';
import { drag, expect, test, toastOf } from './fixtures.ts';
import { stopTime } from './still-time.ts';

const toastsOf = (page: Page) => toastOf(page).getByRole('listitem');

async function openPlansInStillTime(page: Page): Promise<(plan: string) => Promise<void>> {
  await page.clock.install();
  const buy = await openPlans(page);
  // Fetches what draws toasts, so that the time of the next one starts with its press.
  await buy('Basic');
  await expect(toastsOf(page).getByText(/^Basic plan/)).toBeVisible();
  await stopTime(page);
  return buy;
}

async function openPlans(page: Page): Promise<(plan: string) => Promise<void>> {
  await page.goto('/subscription');
  return (plan) => page.getByRole('region', { name: plan }).getByRole('button', { name: 'Jetzt kaufen' }).click();
}

test('a toast leaves after 5000 ms [S9.14]', async ({ page, newUser }) => {
  await newUser();
  const buy = await openPlansInStillTime(page);
  await buy('Pro');
  await expect(toastsOf(page).getByText(/^Pro plan/)).toBeVisible();
  await page.clock.runFor(4_900);
  await expect(toastsOf(page).getByText(/^Pro plan/)).toBeVisible();
  await page.clock.runFor(200);
  await expect(toastsOf(page)).toHaveCount(0);
});

test('F8 moves the focus to a toast, and Escape closes it [S9.14]', async ({ page, newUser }) => {
  await newUser();
  const buy = await openPlansInStillTime(page);
  await buy('Pro');
  await expect(toastsOf(page).getByText(/^Pro plan/)).toBeVisible();
  await page.keyboard.press('F8');
  await expect(toastOf(page).getByRole('list')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toastsOf(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toastOf(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(toastsOf(page)).toHaveCount(0);
});

test('a toast closes by a swipe of 50 px to the right, and by no shorter or other one [S9.14]', async ({
  page,
  newUser,
}) => {
  await newUser();
  const buy = await openPlansInStillTime(page);
  await buy('Pro');
  const toast = toastsOf(page).filter({ hasText: 'Pro plan' });
  await expect(toast).toBeVisible();
  await drag(page, toast, 40);
  await expect(toast).toHaveAttribute('data-state', 'open');
  await drag(page, toast, -120);
  await expect(toast).toHaveAttribute('data-state', 'open');
  await drag(page, toast, 70);
  await expect(toast).toHaveCount(0);
});
