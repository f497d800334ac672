import type { Locator } from '@playwright/test';
import { getProjectTrend } from '#shared/contract/trends.ts';
import { expectAccessible } from './accessibility.ts';
import { drawsIn } from './charts.ts';
import { responseError, expect, grantTokens, test } from './fixtures.ts';
import { reject, respond } from './made-up.ts';

const PROJECT = '/projects/tidepool-swap';

test('a visitor sees the project, its links and its reviews [S2.33 S2.35 S2.36]', async ({ page }) => {
  await page.goto(PROJECT);
  await expect(page.getByRole('heading', { level: 1, name: 'Tidepool Swap' })).toBeVisible();
  await expect(page).toHaveTitle('Tidepool Swap · Snapswipe');
  await expect(page.getByText(/^\d+d \d+h remaining$/)).toBeVisible();
  const launchpad = page.getByRole('link', { name: 'Launchpad' });
  await expect(launchpad).toHaveAttribute('href', /^https:\/\/tidepool\.example/);
  const twitter = page.getByRole('link', { name: 'Twitter' });
  await expect(twitter).toHaveAttribute('href', /^https:\/\/x\.com\/\w+$/);
  for (const link of [launchpad, twitter]) {
    await expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
    await expect(link).toHaveAttribute('target', '_blank');
  }
  await expect(page.getByRole('heading', { name: /^Reviews \(\d+\)$/ })).toBeVisible();
  await expect(page.getByText(/ ago$/).first()).toBeVisible();
  const share = page.getByRole('region', { name: 'Share' });
  await expect(share.getByRole('link', { name: 'Post on X' })).toHaveAttribute(
    'href',
    /projects%2Ftidepool-swap%3Ffrom%3Dlink/,
  );
  await expect(page.getByRole('region', { name: 'More in DeFi' }).getByRole('link').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Connect Wallet to Post Reviews' }).click();
  await expect(page.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Back to Voting' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('a review is rejected empty and too long, kept while it fails, then posted and paid [S2.34 S8.5 S8.21]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(429, '/api/projects/*/reviews'));
  const user = await newUser();
  await grantTokens(database, user.id, 12_000);
  await page.goto('/projects/hexloom');
  await expect(page.getByText(/They are burned/)).toBeVisible();
  await expect(page.getByText('12,000 Snaps')).toBeVisible();
  const text = page.getByRole('textbox', { name: 'Your review' });
  const post = page.getByRole('button', { name: 'Post Review (10000 tokens)' });

  await post.click();
  const toast = page.getByRole('region', { name: /Notification/ });
  await expect(toast.getByText('Review cannot be empty')).toBeVisible();
  await expect(text).toHaveAccessibleDescription(/Please write something before submitting/);

  await text.fill('🦑'.repeat(201));
  await expect(page.getByText('1 character too many')).toBeVisible();
  // Invisible characters are not counted; a review cannot consist of them alone.
  await text.fill(`${'🦑'.repeat(199)}\u200b\u3164`);
  await expect(page.getByText('1 character left')).toBeVisible();
  await text.fill('\u200d\u2800');
  await post.click();
  await expect(toast.getByText('Review cannot be empty')).toBeVisible();
  await text.fill('🦑'.repeat(201));
  await post.click();
  await expect(toast.getByText('Review too long')).toBeVisible();
  await expect(toast.getByText('Maximum 200 characters allowed')).toBeVisible();
  await expect(text).toHaveValue('🦑'.repeat(201));

  const words = `<b>Bold</b> & bright: שלום 🦑 ${user.id}`;
  await text.fill(words);
  await expect(page.getByText(/^\d+ characters left$/)).toBeVisible();
  await page.route('**/reviews', (route) =>
    route.request().method() === 'POST'
      ? reject(route, 429, { error: 'rate_limited', message: 'Please wait a moment.' })
      : route.fallback(),
  );
  await post.click();
  await expect(toast.getByText('Failed to post review')).toBeVisible();
  await expect(toast.getByText('Please wait a moment.')).toBeVisible();
  await expect(text).toHaveValue(words);
  await page.unroute('**/reviews');

  await post.click();
  await expect(toast.getByText('Review posted!')).toBeVisible();
  await expect(toast.getByText('10000 tokens have been burned')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: words })).toBeVisible();
  await expect(text).toHaveValue('');
  await expect(page.getByText('2,000 Snaps')).toBeVisible();
  await expect(post).toBeDisabled();
});

/** The two themes' accent (web/styles/tokens.css), in which charts draw. */
const ACCENTS = { dark: '#43c6ff', light: '#0069b8' } as const;

test('the votes over time are drawn in both themes, and can be read by pointer, by keys, and as a table [R44]', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(PROJECT);
  const trend = page.getByRole('region', { name: 'Over time' });
  const [share, votes] = [trend.getByRole('figure').first(), trend.getByRole('figure').last()];
  for (const chart of [share, votes]) await expect.poll(() => drawsIn(chart, ACCENTS.dark)).toBe(true);
  await expectAccessible(page);
  await share.locator('[data-chart]').hover({ position: { x: 200, y: 90 } });
  await expect(share.locator('[data-tooltip]')).toContainText(/ 20\d\d\d+% bullish of \d+ votes?likely \d+–\d+%/);
  await page.mouse.move(0, 0);
  await expect(share.locator('[data-tooltip]')).toHaveCount(0);

  const slider = votes.getByRole('slider', { name: 'Votes and changes by day: choose a day with the arrow keys' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveValue('0');
  const first = (await slider.getAttribute('aria-valuetext')) ?? '';
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveValue('1');
  const second = (await slider.getAttribute('aria-valuetext')) ?? '';
  expect(second).not.toBe(first);
  await expect(votes.locator('[data-tooltip] p').first()).toHaveText(second.split(', ')[0] ?? '');

  await votes.getByText(/^Show the (last )?\d+ days? as a table$/).click();
  await expect(votes.getByRole('row').nth(1)).toHaveText(/^\d{1,2} \w+ \d{7,}$/);
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  for (const chart of [share, votes]) await expect.poll(() => drawsIn(chart, ACCENTS.light)).toBe(true);
  expect(await drawsIn(votes, ACCENTS.dark)).toBe(false);
  await expectAccessible(page);
});

test('a single day is a point with its whole interval, and what is said of it stays in the card on a phone [R44]', async ({
  page,
}) => {
  // Never over: a past day is extended to today.
  const only = {
    day: '2999-01-01',
    bullish: 3,
    bearish: 1,
    votes: 4,
    turnedBullish: 0,
    turnedBearish: 0,
    verifiedBullish: null,
    verifiedBearish: null,
  };
  await page.route('**/api/projects/*/trend', (route) => respond(route, getProjectTrend, { days: [only] }));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(PROJECT);
  const share = page.getByRole('region', { name: 'Over time' }).getByRole('figure').first();
  const SIXTY_PERCENT = 153;
  await expect.poll(() => drawsIn(share, ACCENTS.dark, SIXTY_PERCENT)).toBe(true);
  await share.getByRole('slider').focus();
  const tooltip = share.locator('[data-tooltip]');
  await expect(tooltip).toContainText('likely 30–95%');
  const rightOf = (part: Locator) => part.evaluate((element) => Math.round(element.getBoundingClientRect().right));
  expect(await rightOf(tooltip)).toBeLessThanOrEqual(await rightOf(share));
});
