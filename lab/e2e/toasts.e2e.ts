import type { Page } from '@playwright/test';
import { drag, expect, responseError, test, toastOf, topCard, voteByButton } from './fixtures.ts';
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

/** Buttons and links under the toast, as a finger or a pointer would find them. */
const coveredBy = (toast: Element): string[] => {
  const area = toast.getBoundingClientRect();
  const controls = document.querySelectorAll('header a, header button, [data-vote-pill] button, [data-vote]');
  return [...controls].flatMap((control) => {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const isApart = right <= area.left || left >= area.right || bottom <= area.top || top >= area.bottom;
    return width === 0 || isApart ? [] : [control.getAttribute('aria-label') ?? control.textContent];
  });
};

for (const [width, height] of [
  [320, 568],
  [390, 664],
  [768, 1024],
  [844, 390],
  [1024, 768],
  [1280, 593],
  [1366, 657],
] as const)
  test(`a toast leaves the header, Undo and the vote buttons free at ${width}×${height}, and ends with its page [S9.14 R59]`, async ({
    page,
    newUser,
    allowed,
  }) => {
    allowed.push(responseError(404, '/api/projects/nothing'));
    await newUser();
    await page.setViewportSize({ width, height });
    await page.goto('/?card=nothing');
    const toast = toastsOf(page).filter({ hasText: 'There is no such project.' });
    await expect(topCard(page)).toBeVisible();
    await voteByButton(page, 'Bullish');
    await expect(page.getByRole('button', { name: /^Undo your vote/ })).toBeVisible();
    expect(await toast.evaluate(coveredBy)).toEqual([]);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }).press('Enter');
    await expect(page).toHaveURL(/leaderboard$/);
    await expect(toastsOf(page)).toHaveCount(0, { timeout: 1_000 });
  });
