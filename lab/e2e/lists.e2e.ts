import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { expectAccessible } from './accessibility.ts';
import { logIn } from './admin.ts';
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

test('the portfolio shows all activity and all withdrawals of a long history [R14 R36]', async ({
  page,
  newUser,
  database,
}) => {
  const { id, address } = await newUser();
  await database.query(
    `INSERT INTO activity (user_id, kind, text) SELECT $1, 'project_updated', 'Update number ' || n
     FROM generate_series(1, 120) n ORDER BY n`,
    [id],
  );
  await database.query(
    `INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, reason)
     SELECT $1, $2, 1000 + n, 'rejected', 'A test' FROM generate_series(1, 60) n ORDER BY n`,
    [id, address],
  );
  await page.goto('/portfolio');
  const activity = page.getByRole('region', { name: 'Activity' });
  await expect(activity.getByRole('listitem')).toHaveCount(5);
  await activity.getByRole('button', { name: 'Show more (120 in all)' }).click();
  await expect(activity.getByRole('listitem')).toHaveCount(50);
  await expectAccessible(page);
  for (const shown of [100, 120]) {
    await activity.getByRole('button', { name: 'Show more' }).click();
    await expect(activity.getByRole('listitem')).toHaveCount(shown);
  }
  await expect(activity.getByText('All 120 entries are shown.')).toBeFocused();
  await expect(activity.getByText('Update number 1', { exact: true })).toBeVisible();

  const withdrawals = page.getByRole('region', { name: 'Your withdrawals' });
  await withdrawals.getByRole('button', { name: 'Show more (60 in all)' }).click();
  await withdrawals.getByRole('button', { name: 'Show more' }).click();
  await expect(withdrawals.getByRole('listitem')).toHaveCount(60);
  await expect(withdrawals.getByText('1,001 Snaps')).toBeVisible();
});

async function linesOf(page: Page, button: Locator): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
}

test('every table of the admin has all its rows, and a CSV file of all that its filter finds [R33]', async ({
  page,
  newAdmin,
  database,
}) => {
  const mark = `ledgerless${uniqueText()}`;
  await database.query(
    `INSERT INTO audit_log (actor, action, detail, outcome)
     SELECT '0xtest', 'test', '=' || $1 || n, 'ok' FROM generate_series(1, 130) n ORDER BY n`,
    [mark],
  );
  await addReviews(database, 'commonwell', mark, 120);
  await database.query(
    `INSERT INTO withdrawals (user_id, wallet_address, token_amount, state, reason)
     SELECT id, wallet_address, 50, 'rejected', $1 FROM users, generate_series(1, 60) WHERE id = (SELECT min(id) FROM users)`,
    [mark],
  );
  const { rows: users } = await database.query<{ id: string }>('SELECT min(id) AS id FROM users');
  await database.query(
    `INSERT INTO payments (user_id, purpose, state, draft, order_hash, amount_mist, received_mist, chain_id, digest, message, expires_at)
     SELECT $1, 'submit', 'unclaimed', '{"name":"=Evil"}', $2 || n, 15000000000, 15000000000, $2, $2 || n, $2, now()
     FROM generate_series(1, 60) n`,
    [users[0]?.id, mark],
  );
  await newAdmin();
  await page.goto('/admin');
  await logIn(page);

  const queue = page.getByRole('region', { name: 'Withdrawal queue' });
  await queue.getByRole('radio', { name: 'Rejected' }).click();
  await expect(queue.getByRole('listitem').first()).toBeVisible();
  await expect(queue.getByRole('listitem')).toHaveCount(50);
  await queue.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => queue.getByRole('listitem').count()).toBeGreaterThanOrEqual(60);
  const rejected = await linesOf(page, queue.getByRole('button', { name: 'Download CSV of Withdrawals rejected' }));
  expect(rejected.filter((line) => line.includes(mark))).toHaveLength(60);

  await page.getByRole('tab', { name: 'Payments' }).click();
  const payments = page.getByRole('region', { name: 'Payments to settle' });
  await expect(payments.getByRole('listitem')).toHaveCount(50);
  await payments.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => payments.getByRole('listitem').count()).toBeGreaterThanOrEqual(60);
  await expectAccessible(page);
  const unclaimed = await linesOf(page, payments.getByRole('button', { name: /^Download CSV/ }));
  const own = unclaimed.filter((line) => line.includes(mark));
  expect(own).toHaveLength(60);
  expect(own[0]).toContain("'=Evil");

  await page.getByRole('tab', { name: 'Moderation' }).click();
  await page.getByRole('searchbox').fill(mark);
  await page.getByRole('button', { name: 'Search' }).click();
  const reviews = page.getByRole('region', { name: 'Reviews' });
  await expect(reviews.getByRole('listitem').first()).toContainText(mark);
  await expect(reviews.getByText('50 of 120 reviews')).toBeVisible();
  await reviews.getByRole('button', { name: 'Show more' }).click();
  await expect(reviews.getByRole('listitem')).toHaveCount(100);
  expect(await linesOf(page, reviews.getByRole('button', { name: /^Download CSV/ }))).toHaveLength(121);
  await expect(page.getByText('120 rows').first()).toBeVisible();

  await page.getByRole('tab', { name: 'Audit log' }).click();
  await page.getByRole('searchbox').fill(mark);
  await page.getByRole('button', { name: 'Search' }).click();
  const audit = page.getByRole('region', { name: 'Audit log', exact: true });
  await expect(audit.getByText('100 of 130 entries')).toBeVisible();
  const lines = await linesOf(page, audit.getByRole('button', { name: /^Download CSV/ }));
  expect(lines).toHaveLength(131);
  expect(lines[1]).toContain(`'=${mark}130`);
  await audit.getByRole('button', { name: 'Show more' }).click();
  await expect(audit.getByRole('row')).toHaveCount(131);
  await expect(audit.getByText('All 130 entries are shown.')).toBeFocused();
  await expectAccessible(page);

  await database.query('DELETE FROM payments WHERE chain_id = $1', [mark]);
});
