import { expect, test, voteOverHttp } from './fixtures.ts';

test('Back from a project, and a reload there, return to its line in the diary [R90]', async ({ page, newUser }) => {
  const { id } = await newUser();
  await voteOverHttp(page.request, id, 8);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'See all your calls' }).click();
  const last = page.getByRole('list', { name: 'All your calls' }).getByRole('link').last();
  await last.click();
  await expect(page).toHaveURL(/\/projects\//);
  await page.goBack();
  await expect(last).toBeInViewport();
  await page.reload();
  await expect(last).toBeInViewport();
});
