import type { Locator } from '@playwright/test';
import { getProjectTrend } from '#shared/contract/trends.ts';
import { expectAccessible } from './accessibility.ts';
import { drawsIn } from './charts.ts';
import { responseError, expect, grantTokens, live, OWN_READS_401, test } from './fixtures.ts';
import { reject, respond } from './made-up.ts';
import { stopTime } from './still-time.ts';
import { uniqueText } from './unique.ts';

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

test('an id in the address gives way to the name [S2.6 R23]', async ({ page, database }) => {
  const { rows } = await database.query<{ id: number }>("SELECT id FROM projects WHERE slug = 'tidepool-swap'");
  await page.goto('/leaderboard');
  await live(page);
  // Inside the app too, where no server redirects.
  await page.evaluate(`history.pushState(null, '', '/projects/${rows[0]?.id}')`);
  await expect(page).toHaveURL(/\/projects\/tidepool-swap$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Tidepool Swap' })).toBeVisible();
});

test('a project that is renamed and named back is reached under both addresses [R23]', async ({ page, database }) => {
  const { rows } = await database.query<{ project_id: number }>(
    "SELECT project_id FROM project_slugs WHERE slug = 'reef-stewards'",
  );
  const id = rows[0]?.project_id;
  const rename = async (slug: string) => {
    await database.query('UPDATE projects SET slug = $1 WHERE id = $2', [slug, id]);
  };
  const visit = async (slug: string, present: string) => {
    await page.goto(`/projects/${slug}`);
    await expect(page).toHaveURL(new RegExp(`/projects/${present}$`));
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Project Not Found');
  };
  await rename('reef-keepers');
  await visit('reef-stewards', 'reef-keepers');
  await rename('reef-stewards');
  await visit('reef-keepers', 'reef-stewards');
  await visit('reef-stewards', 'reef-stewards');
});

test('an unknown project [S2.33 S2.9]', async ({ page, allowed }) => {
  allowed.push(responseError(404, '/projects/never-listed'));
  allowed.push(responseError(404, '/api/projects/never-listed'));
  const response = await page.goto('/projects/never-listed');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Project Not Found' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('without enough tokens the button is off and says why [S5.6 S2.36]', async ({ page, newUser }) => {
  await newUser();
  await page.goto('/projects/petri-co');
  await expect(page.getByText('No reviews yet. Be the first to review this project!')).toBeVisible();
  const button = page.getByRole('button', { name: 'Post Review (10000 tokens)' });
  await expect(button).toBeDisabled();
  await expect(button).toHaveAccessibleDescription(
    'You need at least 10000 tokens to post a review. Vote on projects to earn tokens!',
  );
  await expectAccessible(page);
});

test('a review: rejected empty and too long, kept while it fails, posted and paid [S2.34 S8.5 S8.21]', async ({
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

test('a review after the session has ended elsewhere shows an error and keeps its text [S8.14 S8.16]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(401, '/api/projects/*/reviews'), ...OWN_READS_401);
  const user = await newUser();
  await grantTokens(database, user.id, 12_000);
  await page.clock.install();
  await page.goto('/projects/relaykite');
  const post = page.getByRole('button', { name: 'Post Review (10000 tokens)' });
  await expect(post).toBeEnabled();
  const text = page.getByLabel('Your review');
  await text.fill('Late to the party');
  // Else a poll may meet the end of the session first.
  await stopTime(page);
  await database.query('DELETE FROM sessions WHERE user_id = $1', [user.id]);
  const rejected = page.waitForResponse((response) => response.status() === 401);
  await post.click();
  expect((await rejected).request().method()).toBe('POST');
  await page.clock.resume();
  await expect(page.getByText('Failed to post review', { exact: true })).toBeVisible();
  await expect(page.getByText('User not authenticated or project not loaded').first()).toBeVisible();
});

test('a review of another user appears without a reload [S9.4 S7.5]', async ({ page, database }) => {
  await page.clock.install();
  await page.goto('/projects/relaykite');
  const list = page.getByRole('heading', { name: /^Reviews/ });
  await expect(list).toHaveText(/\(\d+\)/);
  const words = `Fresh from the press ${uniqueText()}`;
  await database.query(
    `INSERT INTO reviews (project_id, user_id, content)
     SELECT p.id, u.id, $1 FROM projects p, users u WHERE p.slug = 'relaykite' LIMIT 1`,
    [words],
  );
  await page.clock.runFor(11_000);
  await expect(page.getByText(words)).toBeVisible();
});

test('the owner of a hidden project reads that its reviews are hidden with it, not that they failed [S2.36]', async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(404, '/projects/*'));
  const owner = await newUser();
  const slug = `hidden-${owner.id}`;
  await database.query(
    `INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, expires_at, hidden_at, hidden_reason)
     SELECT $1, $1, category, description, image_hash, twitter_handle, $2, now() + interval '1 day', now(), 'Not yours'
     FROM projects WHERE slug = 'relaykite'`,
    [slug, owner.id],
  );
  await page.goto(`/projects/${slug}`);
  await expect(page.getByText('Hidden from everyone else')).toBeVisible();
  await expect(page.getByText('Reviews are hidden together with the project.')).toBeVisible();
  await expect(page.getByText('Failed to fetch reviews')).toHaveCount(0);
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
