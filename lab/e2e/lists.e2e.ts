import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { uniqueText } from './unique.ts';

/** Reviews '<mark> 1' to '<mark> n' without what they burn; returns how many the project then has. Each journey has its own. */
async function addReviews(database: pg.Pool, slug: string, mark: string, count: number): Promise<number> {
  await database.query(
    `INSERT INTO reviews (project_id, user_id, content)
     SELECT p.id, (SELECT min(id) FROM users), $1 || ' ' || n FROM projects p, generate_series(1, $2::int) n
     WHERE p.slug = $3 ORDER BY n`,
    [mark, count, slug],
  );
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM reviews r JOIN projects p ON p.id = r.project_id
     WHERE p.slug = $1 AND r.hidden_at IS NULL`,
    [slug],
  );
  return rows[0]?.count ?? 0;
}

const announcement = (page: Page): Locator => page.locator('output.sr-only').first();

test('a project with more than 200 reviews shows their number, and every one by keyboard [S2.36 S7.5 S9.4]', async ({
  page,
  database,
}) => {
  const mark = `Long list ${uniqueText()}`;
  const count = await addReviews(database, 'coldforge', mark, 230);
  await page.clock.install();
  await page.goto('/projects/coldforge');
  const reviews = page.getByRole('region', { name: /^Reviews/ });
  await expect(reviews.getByRole('heading', { name: `Reviews (${count})` })).toBeVisible();
  const rows = reviews.getByRole('listitem');
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toContainText(`${mark} 230`);
  await expect(reviews.getByText(`50 of ${count} reviews`)).toBeVisible();
  await expectAccessible(page);

  const more = reviews.getByRole('button', { name: 'Show more' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(100);
  await expect(announcement(page)).toHaveText(/^50 more reviews, 100 shown/);
  await expect(more).toBeFocused();

  // Another user posts two while the second page is read: they appear on top, and what is read stays on the screen.
  const read = rows.filter({ hasText: new RegExp(`${mark} 131(?!\\d)`) });
  await read.scrollIntoViewIfNeeded();
  const place = await read.evaluate((row) => row.getBoundingClientRect().top);
  await addReviews(database, 'coldforge', 'Meanwhile', 2);
  await page.clock.runFor(11_000);
  await expect(reviews.getByRole('heading', { name: `Reviews (${count + 2})` })).toBeVisible();
  await expect(rows).toHaveCount(102);
  await expect(rows.first()).toContainText('Meanwhile 2');
  expect(Math.abs((await read.evaluate((row) => row.getBoundingClientRect().top)) - place)).toBeLessThan(5);

  await more.focus();
  for (let shown = 102; shown < count + 2;) {
    await page.keyboard.press('Enter');
    shown = Math.min(shown + 50, count + 2);
    await expect(rows).toHaveCount(shown);
  }
  const end = reviews.getByText(`All ${count + 2} reviews are shown.`);
  await expect(end).toBeFocused();
  await expect(more).toHaveCount(0);
  const texts = await rows.allTextContents();
  expect(new Set(texts.filter((text) => text.includes(mark))).size).toBe(230);
});
