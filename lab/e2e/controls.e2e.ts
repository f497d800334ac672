/** Controls that no other journey presses do what their labels say. */
import { logIn } from './admin.ts';
import { deckOf, expect, live, test, topCardOf } from './fixtures.ts';

/** The newest text for screen readers. */
const TOLD = 'output[class="sr-only"]';

test('the deck: links of the card, and a key that is held down counts once [S2.12 R12 R26]', async ({
  page,
  newUser,
  database,
}) => {
  await newUser();
  await page.goto('/');
  await live(page);
  await expect(topCardOf(page)).toBeVisible();
  const first = (await topCardOf(page).getAttribute('data-project')) ?? '';
  await page.keyboard.down('ArrowLeft');
  await expect(topCardOf(page)).not.toHaveAttribute('data-project', first);
  const second = (await topCardOf(page).getAttribute('data-project')) ?? '';
  // Still held down: the browser repeats the key, also when the lock is over.
  await expect(page.getByText(/^24 votes until \d\d:\d\d$/)).toBeVisible();
  await page.waitForFunction((at) => performance.now() > at + 400, await page.evaluate(() => performance.now()));
  await page.keyboard.down('ArrowLeft');
  await page.keyboard.up('ArrowLeft');
  await expect(topCardOf(page)).toHaveAttribute('data-project', second);

  // The first card with a website is found by skipping to it.
  const market = topCardOf(page).getByRole('link', { name: 'View on Marketplace' });
  for (let skips = 0; skips < 30 && (await market.count()) === 0; skips += 1) {
    const top = (await topCardOf(page).getAttribute('data-project')) ?? '';
    await deckOf(page).getByRole('button', { name: 'Skip' }).click();
    await expect(topCardOf(page)).not.toHaveAttribute('data-project', top);
  }
  const { rows } = await database.query<{ handle: string; website: string }>(
    'SELECT twitter_handle AS handle, website FROM projects WHERE id = $1',
    [await topCardOf(page).getAttribute('data-project')],
  );
  const { handle, website } = rows[0] ?? { handle: '', website: '' };
  await expect(market).toHaveAttribute('href', website);
  const profile = topCardOf(page).getByRole('link', { name: new RegExp(`@${handle}`) });
  await expect(profile).toHaveAttribute('href', `https://x.com/${handle}`);
  for (const link of [market, profile]) {
    await expect(link).toHaveAttribute('rel', 'noopener nofollow ugc');
    await expect(link).toHaveAttribute('target', '_blank');
  }
});

test('the SQL console: quick queries, history, Copy, Discard and Clear history [S2.40 S5.7 S8.21]', async ({
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
