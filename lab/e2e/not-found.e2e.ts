import { responseError, expect, test } from './fixtures.ts';

test("any other path shows '404 Page Not Found' with status 404 and a way home [S2.9]", async ({ page, allowed }) => {
  allowed.push(responseError(404, '/nowhere'));
  allowed.push(responseError(404, '/projects'));
  allowed.push(responseError(404, '/leaderboard/extra'));
  allowed.push(responseError(404, '/index.php'));
  allowed.push(responseError(404, '/%E0%A4%A'));
  allowed.push(responseError(404, '/%'));
  for (const path of ['/nowhere', '/projects', '/leaderboard/extra', '/index.php?a=<script>', '/%E0%A4%A', '/%']) {
    const response = await page.goto(path);
    expect(response?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
    await expect(page).toHaveTitle('404 Page Not Found · Snapswipe');
  }
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page.getByRole('heading', { name: 'Swipe. Vote. Earn.' })).toBeVisible();
  await expect(page).toHaveTitle('Snapswipe · Swipe. Vote. Earn.');
});

test('the page moves the focus and its title with every change of screen [S2.9]', async ({ page, allowed }) => {
  allowed.push(responseError(404, '/nowhere'));
  await page.goto('/nowhere');
  await page.getByRole('main').getByRole('link', { name: 'See the leaderboard' }).click();
  await expect(page).toHaveTitle('Project Leaderboard · Snapswipe');
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
});
