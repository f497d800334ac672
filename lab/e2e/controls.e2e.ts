/** Controls that no other journey presses do what their labels say. */
import { logIn } from './admin.ts';
import { expect, test } from './fixtures.ts';

const TOLD = 'output[class="sr-only"]';

test('the SQL console has quick queries, history, Copy, Discard and Clear history [S2.40 S5.7 S8.21]', async ({
  page,
  context,
  newAdmin,
}) => {
  await newAdmin();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/admin');
  await logIn(page);
  await page.getByRole('tab', { name: /SQL/ }).click();
  const editor = page.getByLabel('SQL query');
  const result = page.getByRole('region', { name: 'Result' });
  await page.getByRole('button', { name: 'Run Query' }).click();
  await expect(page.getByText('No Query', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Count projects' }).click();
  await expect(editor).toHaveValue(/^SELECT count\(\*\) AS projects/);
  await expect(result.getByRole('columnheader').first()).toContainText('projects');

  const write = "UPDATE projects SET description = 'Never kept' WHERE slug = 'hexloom'";
  await editor.fill(write);
  await editor.press('Control+Enter');
  const dryRun = result.getByRole('region', { name: 'Dry run' });
  await expect(dryRun).toBeVisible();
  await expect(page.locator(TOLD).first()).toHaveText(/^Dry run: .+ Nothing is changed yet\.$/);
  await dryRun.getByRole('button', { name: 'Discard' }).click();
  await expect(result).toHaveCount(0);
  const { description } = (await (await page.request.get('/api/projects/hexloom')).json()) as { description: string };
  expect(description).not.toBe('Never kept');

  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied to clipboard!', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(write);

  await page.getByText('History (2)').click();
  await page.getByRole('button', { name: /^SELECT count/ }).click();
  await expect(editor).toHaveValue(/^SELECT count/);
  await page.getByRole('button', { name: 'Clear history' }).click();
  await expect(page.getByText(/^History/)).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('snapswipe_sql_history'))).toBeNull();
});
