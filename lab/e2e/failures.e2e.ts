import type { Page, Route } from '@playwright/test';
import { responseError, expect, grantTokens, test, topCardOf, withoutFirstData } from './fixtures.ts';
import { failSilently, reject } from './made-up.ts';

const broken = (route: Route) => reject(route, 503, { error: 'unavailable', message: 'The database does not respond' });

async function failRead(page: Page, pattern: string, open: string, message: string): Promise<void> {
  await page.route(pattern, broken);
  await page.goto(open);
  const alert = page.getByRole('alert').filter({ hasText: message });
  await expect(alert).toBeVisible();
  await page.unroute(pattern);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
}

test('a failed read names itself once, and a second try loads it [S8.1 S8.2 S9.15]', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/projects/hexloom'));
  allowed.push(responseError(503, '/api/projects/*/reviews'));
  allowed.push(responseError(503, '/api/v1/projects'));
  allowed.push(responseError(503, '/api/projects'));
  let asked = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/projects/hexloom') asked += 1;
  });
  // Navigates from inside the app: a page opened by its address has its project in the HTML.
  await withoutFirstData(page, '/projects/hexloom');
  await failRead(page, '**/api/projects/hexloom', '/projects/hexloom', 'Failed to fetch project');
  await expect(page.getByRole('heading', { level: 1, name: 'Hexloom' })).toBeVisible();
  // The second try, with or without a change of the data; failed reads are not repeated automatically.
  expect(asked).toBeLessThanOrEqual(3);
  await failRead(page, '**/reviews', '/projects/hexloom', 'Failed to fetch reviews');
  await failRead(page, '**/api/v1/projects?*', '/leaderboard', 'Failed to fetch leaderboard');
  await newUser();
  await withoutFirstData(page, '/');
  await failRead(page, '**/api/projects?userId=*', '/', 'Failed to fetch projects');
  await expect(topCardOf(page)).toBeVisible();
});

test("a review that fails without a reason shows 'Something went wrong' [S8.14]", async ({
  page,
  newUser,
  database,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/projects/*/reviews'));
  const user = await newUser();
  await grantTokens(database, user.id, 10_000);
  await page.route('**/reviews', (route) =>
    route.request().method() === 'POST' ? failSilently(route) : route.fallback(),
  );
  await page.goto('/projects/hexloom');
  await page.getByRole('textbox', { name: 'Your review' }).fill('Good and plain.');
  await page.getByRole('button', { name: 'Post Review (10000 tokens)' }).click();
  const toast = page.getByRole('region', { name: /Notification/ });
  await expect(toast.getByText('Failed to post review', { exact: true })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Your review' })).toHaveValue('Good and plain.');
});

test('a page whose code cannot be fetched keeps the header and offers a second try [S8.1]', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/leaderboard');
  await expect(page.getByRole('heading', { name: 'Project Leaderboard' })).toBeVisible();
  await page.route('**/assets/supply-page-*.js', (route) => route.abort());
  // By keyboard: more rows move the footer away from under a pointer.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }).press('Enter');
  await expect(page.getByRole('alert').getByText('This page could not be shown')).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await page.unroute('**/assets/supply-page-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Snaps supply', level: 1 })).toBeVisible();
  // The browser's own line about the blocked file.
  consoleErrors.length = 0;
});
