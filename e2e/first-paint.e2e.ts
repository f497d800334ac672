import type { Page } from '@playwright/test';
import { expect, live, test } from './fixtures.ts';

const PAGES = [
  ['/', 'Swipe. Vote. Earn.'],
  ['/leaderboard', 'Project Leaderboard'],
  ['/projects/tidepool-swap', 'Tidepool Swap'],
] as const;

/** Remembers the headline of the HTML, to see later whether it is still the same element. */
async function markHeadline(page: Page): Promise<void> {
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.querySelector('h1')?.setAttribute('data-from-html', '')),
  );
}
test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const [path, headline] of PAGES) {
    test(`[S2.1] ${path} can be read, and its links work`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: headline })).toBeVisible();
      await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
      await page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }).click();
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(8);
    });
  }
});

test('what the server drew is what the browser goes on with, and nothing is complained of', async ({
  page,
  complaints,
}) => {
  await markHeadline(page);
  for (const [path, headline] of PAGES) {
    await page.goto(path);
    await live(page);
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('heading', { level: 1, name: headline })).toHaveAttribute('data-from-html');
  }
  expect(complaints).toEqual([]);
});

test('a project that came with its page is not asked for again', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/projects/tidepool-swap');
  await expect(page.getByRole('heading', { name: /^Reviews \(\d+\)$/ })).toBeVisible();
  expect(asked).not.toContain('/api/projects/tidepool-swap');
});

test('the button that a visitor presses as soon as there is one opens the dialog', async ({ page }) => {
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible();
});

test.describe('where numbers are written in another way', () => {
  test.use({ locale: 'de-DE' });

  test('the browser draws the page anew, in its own way', async ({ page, complaints }) => {
    await markHeadline(page);
    await page.goto('/leaderboard');
    const headline = page.getByRole('heading', { level: 1, name: 'Project Leaderboard' });
    await expect(headline).not.toHaveAttribute('data-from-html');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    expect(complaints).toEqual([]);
  });
});
