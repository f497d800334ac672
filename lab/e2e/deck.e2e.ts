import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { deckOf, expect, insertVotes, moveUntilVisible, test, topCardOf as topOf } from './fixtures.ts';
import { waitForAnimations } from './accessibility.ts';
import { expectFits } from './fit.ts';
import { stopTime } from './still-time.ts';

async function openDeck(page: Page): Promise<string> {
  await page.goto('/');
  // Drawn by the server first; its buttons work once the page's code has taken over.
  await expect(page.locator('[data-live] [data-depth="0"]')).toBeVisible();
  return (await topOf(page).getAttribute('data-project')) ?? '';
}

async function leaveCards(database: pg.Pool, userId: number, cards: number): Promise<void> {
  await insertVotes(
    database,
    userId,
    `SELECT id FROM generate_series(1, (SELECT max(id) + 1000 FROM projects)) id
     WHERE id NOT IN (SELECT id FROM projects WHERE listed ORDER BY id LIMIT ${cards})`,
  );
}

test("the reward of a vote shows for two seconds, and the page's numbers change at once [S2.13 S9.3 S4.5]", async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.clock.install();
  await openDeck(page);
  await stopTime(page);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  const reward = page.getByText('+10 TOKENS', { exact: true });
  await moveUntilVisible(page, reward);
  await expect(page.getByRole('link', { name: /10 snaps/i })).toBeVisible();
  await expect(page.getByText(/^24 votes until \d\d:\d\d$/)).toBeVisible();
  await page.clock.runFor(1_900);
  await expect(reward).toBeVisible();
  await page.clock.runFor(200);
  await expect(reward).toHaveCount(0);
});

test("an empty deck shows 'All projects rated!', and 'Load New Projects' says what it found [S2.14 S8.20]", async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  await leaveCards(database, user.id, 0);
  await page.goto('/');
  await expect(page.getByText('All projects rated!', { exact: true })).toBeVisible();
  await expect(
    page.getByText("You've voted on all available projects. Check back later or invite your friends to earn more!"),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Load New Projects' }).click();
  await expect(page.getByText('No new projects', { exact: true })).toBeVisible();
  await expect(
    page.getByText("You've already voted on all available projects. Check back later!", { exact: true }),
  ).toBeVisible();

  // Votes are append-only: the first project becomes new again only with the triggers off.
  await database.query(
    `BEGIN;
     SET LOCAL session_replication_role = 'replica';
     WITH gone AS (
       DELETE FROM votes WHERE user_id = ${user.id} AND project_id IN (SELECT id FROM projects WHERE listed ORDER BY id LIMIT 1)
       RETURNING tokens
     )
     INSERT INTO token_ledger (user_id, kind, ref, amount, created_at) SELECT ${user.id}, 'hold_release', -1, tokens, now() FROM gone;
     COMMIT`,
  );
  await page.getByRole('button', { name: 'Load New Projects' }).click();
  await expect(page.getByText('New projects loaded!', { exact: true })).toBeVisible();
  await expect(page.getByText('Found 1 new project(s) to vote on.', { exact: true })).toBeVisible();
  await expect(topOf(page)).toBeVisible();
});

for (const [width, height] of [
  [1366, 657],
  [1280, 600],
  [844, 390],
] as const) {
  test(`the card, the vote buttons, Undo and the result are inside a screen of ${width}×${height} [R46 R59]`, async ({
    page,
    newUser,
  }) => {
    await page.setViewportSize({ width, height });
    await newUser();
    await openDeck(page);
    const inside = async (what: Locator) => {
      await waitForAnimations(page);
      const box = (await what.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
      expect(box.y, String(what)).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height, String(what)).toBeLessThanOrEqual(height);
      expect(box.height, String(what)).toBeGreaterThan(30);
      return box;
    };
    await inside(topOf(page));
    const bullish = deckOf(page).getByRole('button', { name: 'Bullish', exact: true });
    await bullish.click();
    const pill = page.locator('[data-vote-pill]');
    const undo = await inside(pill.getByRole('button', { name: /^Undo your vote/ }));
    await inside(bullish);
    await inside(deckOf(page).getByRole('button', { name: 'Bearish', exact: true }));
    await pill.getByRole('button', { name: 'Show result' }).click();
    await expect(pill).toHaveText(/others? voted like you|First vote on this project/);
    const result = await inside(pill);
    // Layout places them at fractions of a pixel.
    expect(Math.round(result.y), 'the result stands where Undo stood').toBeLessThanOrEqual(Math.round(undo.y));
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectFits(page, `${width}×${height}`);
  });
}
