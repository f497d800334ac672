import type { Page } from '@playwright/test';
import { deckOf, drag, expect, lockOver, test, topCardOf as topOf, withoutFirstData } from './fixtures.ts';

async function openDeck(page: Page): Promise<string> {
  await page.goto('/');
  await expect(topOf(page)).toBeVisible();
  return (await topOf(page).getAttribute('data-project')) ?? '';
}

const voteAnswer = (page: Page) =>
  page.waitForResponse((r) => r.url().endsWith('/api/votes') && r.request().method() === 'POST');

test('[S2.12 S9.3] three cards; 100 px is no vote, more is: right bullish, left bearish', async ({
  page,
  newUser,
  database,
}) => {
  const person = await newUser();
  const first = await openDeck(page);
  await expect(deckOf(page).locator('[data-depth]')).toHaveCount(3);

  await drag(page, topOf(page), 100);
  await expect(topOf(page)).toHaveAttribute('data-project', first);

  let answered = voteAnswer(page);
  await drag(page, topOf(page), 140);
  expect((await answered).status()).toBe(200);
  await expect(topOf(page)).not.toHaveAttribute('data-project', first);

  const second = (await topOf(page).getAttribute('data-project')) ?? '';
  await lockOver(page);
  answered = voteAnswer(page);
  await drag(page, topOf(page), -140);
  expect((await answered).status()).toBe(200);
  await expect(topOf(page)).not.toHaveAttribute('data-project', second);

  const { rows } = await database.query(
    'SELECT project_id::text AS id, bullish FROM votes WHERE user_id = $1 ORDER BY created_at',
    [person.id],
  );
  expect(rows).toEqual([
    { id: first, bullish: true },
    { id: second, bullish: false },
  ]);
});

test('[S2.12] by keyboard: arrow right and left vote, arrow down skips', async ({ page, newUser }) => {
  await newUser();
  const first = await openDeck(page);
  await page.keyboard.press('ArrowDown');
  await expect(topOf(page)).not.toHaveAttribute('data-project', first);
  const second = (await topOf(page).getAttribute('data-project')) ?? '';
  const answered = voteAnswer(page);
  await page.keyboard.press('ArrowRight');
  const vote = (await answered).request().postDataJSON() as {
    projectId: number;
    voteType: string;
    tokensEarned: number;
  };
  expect(vote).toMatchObject({ projectId: Number(second), voteType: 'bullish', tokensEarned: 10 });
  await expect(topOf(page)).not.toHaveAttribute('data-project', second);
});

test('[S2.13 S9.3 S4.5] the reward shows for two seconds, and the numbers of the page change at once', async ({
  page,
  newUser,
}) => {
  await newUser();
  await openDeck(page);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  const reward = page.getByText('+10 TOKENS', { exact: true });
  await expect(reward).toBeVisible();
  await expect(page.getByRole('link', { name: /10 snaps/i })).toBeVisible();
  await expect(page.getByText('24 of 25 votes left')).toBeVisible();
  await expect(reward).toBeHidden();
});

test('[S4.4 S8.15 S8.3] a vote that fails brings the card back, with the reason of the server', async ({
  page,
  newUser,
}) => {
  await newUser();
  const first = await openDeck(page);
  await page.route('**/api/votes', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: JSON.stringify({ error: 'vote_failed', message: 'The vote could not be counted. Please try again.' }),
    }),
  );
  await deckOf(page).getByRole('button', { name: 'Bearish', exact: true }).click();
  await expect(page.getByText('Vote Failed', { exact: true })).toBeVisible();
  await expect(page.getByText('The vote could not be counted. Please try again.', { exact: true })).toBeVisible();
  await expect(topOf(page)).toHaveAttribute('data-project', first);

  await page.unroute('**/api/votes');
  await lockOver(page);
  const answered = voteAnswer(page);
  await deckOf(page).getByRole('button', { name: 'Bearish', exact: true }).click();
  expect((await answered).status()).toBe(200);
});

test('[S4.4] Skip moves the card to the back', async ({ page, newUser }) => {
  await newUser();
  const first = await openDeck(page);
  await deckOf(page).getByRole('button', { name: /Skip/ }).click();
  await expect(topOf(page)).not.toHaveAttribute('data-project', first);
});

test("[S2.14 S8.20] all rated: the empty state, and 'Load New Projects' says what it found", async ({
  page,
  newUser,
  database,
}) => {
  const person = await newUser();
  // Also those that other journeys list in the meantime.
  await database.query(
    `INSERT INTO votes (user_id, project_id, bullish, tokens, created_at)
     SELECT $1, id, true, 10, now() FROM generate_series(1, (SELECT max(id) + 1000 FROM projects)) id`,
    [person.id],
  );
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

  await database.query(
    'DELETE FROM votes WHERE user_id = $1 AND project_id IN (SELECT id FROM projects WHERE listed ORDER BY id LIMIT 1)',
    [person.id],
  );
  await page.getByRole('button', { name: 'Load New Projects' }).click();
  await expect(page.getByText('New projects loaded!', { exact: true })).toBeVisible();
  await expect(page.getByText('Found 1 new project(s) to vote on.', { exact: true })).toBeVisible();
  await expect(topOf(page)).toBeVisible();
  await database.query('DELETE FROM votes WHERE user_id = $1', [person.id]);
});

test("[S2.14] while the projects come: a skeleton with 'Loading projects...'", async ({ page, newUser }) => {
  await newUser();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/projects?userId=*', async (route) => {
    await held;
    await route.continue();
  });
  await withoutFirstData(page, '/');
  await page.goto('/');
  await expect(page.getByText('Loading projects...')).toBeVisible();
  release();
  await expect(topOf(page)).toBeVisible();
});

test('[S2.17 R10] passing 1000 earned tokens is celebrated once', async ({ page, newUser, database }) => {
  const person = await newUser();
  await openDeck(page);
  await database.query('UPDATE user_stats SET earned = 990 WHERE user_id = $1', [person.id]);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  const party = page.getByRole('dialog').filter({ hasText: '1000' });
  await expect(party).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(party).toBeHidden();
  await database.query('UPDATE user_stats SET earned = 10 WHERE user_id = $1', [person.id]);
});

test("[S2.16 R8] at the limit the panel says 'Rate limit reached' with a countdown, then 'Resetting...'", async ({
  page,
  newUser,
  database,
}) => {
  const person = await newUser();
  const endsIn = (time: string) =>
    database.query(
      "UPDATE user_stats SET window_votes = 25, window_started_at = now() - interval '6 hours' + $2::interval WHERE user_id = $1",
      [person.id, time],
    );
  await endsIn('1 hour');
  await page.goto('/');
  const stats = page.getByRole('region', { name: 'Your Statistics' });
  await expect(stats.getByText('Rate limit reached')).toBeVisible();
  await expect(stats.getByRole('timer')).toBeVisible();
  await expect(deckOf(page).getByRole('button', { name: 'Bullish', exact: true })).toBeDisabled();
  // The page hears of it with its next poll.
  await endsIn('6 seconds');
  await expect(stats.getByText('Rate limit reached')).toBeHidden({ timeout: 30_000 });
  await expect(page.getByText('25 of 25 votes left')).toBeVisible();
});

test('[S2.15 S9.8] beside the deck: up to three reviews of the card on top, three top projects, the way to the leaderboard', async ({
  page,
  newUser,
}) => {
  await newUser();
  await openDeck(page);
  const aside = page.getByRole('complementary', { name: 'Reviews and top projects' });
  await expect(aside.getByRole('heading', { name: 'Project Reviews' })).toBeVisible();
  await expect(aside.getByRole('region', { name: 'Top Projects' }).getByRole('listitem')).toHaveCount(3);
  await aside.getByRole('link', { name: 'View Full Leaderboard' }).click();
  await expect(page.getByRole('heading', { name: 'Project Leaderboard' })).toBeVisible();
});
