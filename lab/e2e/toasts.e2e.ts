import type { Page } from '@playwright/test';
import { waitForAnimations } from './accessibility.ts';
import { SCREENS } from './fit.ts';
import { deckOf, drag, expect, responseError, test, toastOf, topCard } from './fixtures.ts';
import { stopTime } from './still-time.ts';

const toastsOf = (page: Page) => toastOf(page).getByRole('listitem');

test('a toast leaves after 5000 ms, by Escape after F8, and by a swipe of 50 px to the right and no shorter or other one [S9.14]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.clock.install();
  await page.goto('/subscription');
  const buy = async (plan: string) => {
    await page.getByRole('region', { name: plan }).getByRole('button', { name: 'Jetzt kaufen' }).click();
    await expect(toastsOf(page).getByText(new RegExp(`^${plan} plan`))).toBeVisible();
  };
  // Fetches what draws toasts, so that the time of the next one starts with its press.
  await buy('Basic');
  await stopTime(page);
  await buy('Pro');
  await page.clock.runFor(4_900);
  await expect(toastsOf(page).getByText(/^Pro plan/)).toBeVisible();
  await page.clock.runFor(200);
  await expect(toastsOf(page)).toHaveCount(0);

  await buy('Elite');
  await page.keyboard.press('F8');
  await expect(toastOf(page).getByRole('list')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toastsOf(page)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(toastOf(page).getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(toastsOf(page)).toHaveCount(0);

  await buy('Pro');
  const toast = toastsOf(page).filter({ hasText: 'Pro plan' });
  for (const tooShort of [40, -120]) {
    await drag(page, toast, tooShort);
    await expect(toast).toHaveAttribute('data-state', 'open');
  }
  await drag(page, toast, 70);
  await expect(toast).toHaveCount(0);
});

/** Buttons and links under the toast, as a finger or a pointer would find them. */
const coveredBy = (toast: Element): string[] => {
  const area = toast.getBoundingClientRect();
  const controls = document.querySelectorAll('header a, header button, [data-reveal] button, [data-vote]');
  return [...controls].flatMap((control) => {
    const { left, right, top, bottom, width } = control.getBoundingClientRect();
    const isApart = right <= area.left || left >= area.right || bottom <= area.top || top >= area.bottom;
    return width === 0 || isApart ? [] : [control.getAttribute('aria-label') ?? control.textContent];
  });
};

const SIZES = [...SCREENS, [768, 1024], [1024, 768]] as const;

test('a toast leaves the header, Undo and the vote buttons free on a screen of any size, and ends with its page [S9.14 R59]', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(responseError(404, '/api/projects/nothing'));
  await newUser();
  await page.clock.install();
  await page.goto('/?card=nothing');
  const toast = toastsOf(page).filter({ hasText: 'There is no such project.' });
  await expect(topCard(page)).toBeVisible();
  await expect(toast).toBeVisible();
  // A toast waits while the window is not in front; the time for an undo would pass.
  await page.evaluate(() => dispatchEvent(new Event('blur')));
  await stopTime(page);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(page.getByRole('button', { name: /^Undo your vote/ })).toBeVisible({ timeout: 500 });
  }).toPass();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await waitForAnimations(page);
    expect.soft(await toast.evaluate(coveredBy), `at ${width} × ${height}`).toEqual([]);
  }
  await page.clock.resume();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }).press('Enter');
  await expect(page).toHaveURL(/leaderboard$/);
  await expect(toastsOf(page)).toHaveCount(0, { timeout: 1_000 });
});
