import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import {
  responseError,
  deckOf,
  drag,
  expect,
  insertVotes,
  lockOver,
  moveUntilVisible,
  test,
  topCardOf as topOf,
  voteResponse,
  withoutFirstData,
} from './fixtures.ts';
import { waitForAnimations } from './accessibility.ts';
import { expectFits } from './fit.ts';
import { reject } from './made-up.ts';
import { stopTime } from './still-time.ts';

async function openDeck(page: Page): Promise<string> {
  await page.goto('/');
  // Drawn by the server first; its buttons work once the page's code has taken over.
  await expect(page.locator('[data-live] [data-depth="0"]')).toBeVisible();
  return (await topOf(page).getAttribute('data-project')) ?? '';
}

/** The newest text for screen readers. */
const announcement = (page: Page) => page.locator('output.sr-only').first();

/** Votes on everything, including what other journeys list in the meantime, except `cards` listed projects. */
async function leaveCards(database: pg.Pool, userId: number, cards: number): Promise<void> {
  await insertVotes(
    database,
    userId,
    `SELECT id FROM generate_series(1, (SELECT max(id) + 1000 FROM projects)) id
     WHERE id NOT IN (SELECT id FROM projects WHERE listed ORDER BY id LIMIT ${cards})`,
  );
}

/** The votes of a user in the order in which they were cast. */
async function storedVotes(database: pg.Pool, userId: number) {
  const { rows } = await database.query<{ id: string; bullish: boolean }>(
    'SELECT project_id::text AS id, bullish FROM votes WHERE user_id = $1 ORDER BY created_at',
    [userId],
  );
  return rows;
}

test('three cards; a swipe of 100 px does nothing, a longer one votes: right bullish, left bearish [S2.12 S9.3]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  const first = await openDeck(page);
  await expect(deckOf(page).locator('[data-depth]')).toHaveCount(3);

  await drag(page, topOf(page), 100);
  await expect(topOf(page)).toHaveAttribute('data-project', first);

  let pending = voteResponse(page);
  await drag(page, topOf(page), 140);
  expect((await pending).status()).toBe(200);
  await expect(topOf(page)).not.toHaveAttribute('data-project', first);

  const second = (await topOf(page).getAttribute('data-project')) ?? '';
  await lockOver(page);
  pending = voteResponse(page);
  await drag(page, topOf(page), -140);
  expect((await pending).status()).toBe(200);
  await expect(topOf(page)).not.toHaveAttribute('data-project', second);

  expect(await storedVotes(database, user.id)).toEqual([
    { id: first, bullish: true },
    { id: second, bullish: false },
  ]);
});

test('by keyboard: arrow right and left vote, arrow down skips [S2.12]', async ({ page, newUser, database }) => {
  const user = await newUser();
  const first = await openDeck(page);
  await page.keyboard.press('ArrowDown');
  await expect(topOf(page)).not.toHaveAttribute('data-project', first);
  const second = (await topOf(page).getAttribute('data-project')) ?? '';
  let voted = voteResponse(page);
  await page.keyboard.press('ArrowRight');
  const vote = (await voted).request().postDataJSON() as {
    projectId: number;
    voteType: string;
    tokensEarned: number;
  };
  expect(vote).toMatchObject({ projectId: Number(second), voteType: 'bullish', tokensEarned: 10 });
  await expect(topOf(page)).not.toHaveAttribute('data-project', second);
  const third = (await topOf(page).getAttribute('data-project')) ?? '';
  await lockOver(page);
  voted = voteResponse(page);
  await page.keyboard.press('ArrowLeft');
  expect((await voted).status()).toBe(200);
  expect(await storedVotes(database, user.id)).toEqual([
    { id: second, bullish: true },
    { id: third, bullish: false },
  ]);
});

test('when the time to undo is over the deck has the focus of its button, and the arrows vote on [R46 S2.12]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await openDeck(page);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).press('Enter');
  const undo = page.getByRole('button', { name: /^Undo your vote/ });
  await undo.focus();
  await expect(undo).toBeFocused();
  await expect(undo).toHaveCount(0);
  await expect(deckOf(page)).toBeFocused();
  const top = await topOf(page).getAttribute('data-project');
  const voted = voteResponse(page);
  await page.keyboard.press('ArrowLeft');
  expect((await voted).request().postDataJSON()).toMatchObject({ projectId: Number(top), voteType: 'bearish' });
});

test('each button of the deck does what it says: Skip, Bearish and Bullish, announced to screen readers too [S2.12]', async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  const press = (name: string) => deckOf(page).getByRole('button', { name, exact: true }).click();
  const nameOnTop = async () => (await topOf(page).getAttribute('aria-label')) ?? '';
  const skipped = await openDeck(page);
  const skippedName = await nameOnTop();
  await press('Skip');
  await expect(topOf(page)).not.toHaveAttribute('data-project', skipped);
  await expect(announcement(page)).toHaveText(`Skipped ${skippedName}`);
  const votes = [];
  for (const [button, bullish] of [
    ['Bearish', false],
    ['Bullish', true],
  ] as const) {
    const id = (await topOf(page).getAttribute('data-project')) ?? '';
    const name = await nameOnTop();
    const voted = voteResponse(page);
    await press(button);
    expect((await voted).status()).toBe(200);
    await expect(announcement(page)).toContainText(`Voted ${button.toLowerCase()} on ${name}, +10 Snaps`);
    await expect(topOf(page)).not.toHaveAttribute('data-project', id);
    await lockOver(page);
    votes.push({ id, bullish });
  }
  expect(await storedVotes(database, user.id)).toEqual(votes);
});

test('the reward shows for two seconds, and the numbers of the page change at once [S2.13 S9.3 S4.5]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.clock.install();
  await openDeck(page);
  // From here on time moves only as the journey says.
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

test('a vote that fails brings the card back, with the reason of the server [S4.4 S8.15 S8.3]', async ({
  page,
  newUser,
  allowed,
}) => {
  allowed.push(responseError(503, '/api/votes'));
  await newUser();
  const first = await openDeck(page);
  await page.route('**/api/votes', (route) =>
    reject(route, 503, { error: 'vote_failed', message: 'The vote could not be counted. Please try again.' }),
  );
  await deckOf(page).getByRole('button', { name: 'Bearish', exact: true }).click();
  await expect(page.getByText('Vote Failed', { exact: true })).toBeVisible();
  await expect(page.getByText('The vote could not be counted. Please try again.', { exact: true })).toBeVisible();
  await expect(topOf(page)).toHaveAttribute('data-project', first);

  await page.unroute('**/api/votes');
  await lockOver(page);
  const voted = voteResponse(page);
  await deckOf(page).getByRole('button', { name: 'Bearish', exact: true }).click();
  expect((await voted).status()).toBe(200);
});

test('Skip moves the card to the back [S4.4]', async ({ page, newUser, database }) => {
  const user = await newUser();
  await leaveCards(database, user.id, 3);
  await openDeck(page);
  // The votes that were left count for the day (R49).
  await page.getByRole('button', { name: 'Keep swiping' }).click();
  const order = async () => {
    const ids = [];
    for (const depth of [0, 1, 2])
      ids.push(await deckOf(page).locator(`[data-depth="${depth}"]`).getAttribute('data-project'));
    return ids;
  };
  const [first = '', second = '', third = ''] = (await order()).map(String);
  await deckOf(page).getByRole('button', { name: /Skip/ }).click();
  await expect.poll(order).toEqual([second, third, first]);
  await deckOf(page).getByRole('button', { name: /Skip/ }).click();
  await expect.poll(order).toEqual([third, first, second]);
});

test("all rated: the empty state, and 'Load New Projects' says what it found [S2.14 S8.20]", async ({
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

test("while the projects come: a skeleton with 'Loading projects...' [S2.14]", async ({ page, newUser }) => {
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

test('passing 1000 earned tokens is celebrated once [S2.17 R10]', async ({ page, newUser, database }) => {
  const user = await newUser();
  await openDeck(page);
  await database.query('UPDATE user_stats SET tokens_earned = 990 WHERE user_id = $1', [user.id]);
  const vote = async () => {
    await lockOver(page);
    await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  };
  await vote();
  const party = page.getByRole('dialog').filter({ hasText: '1000' });
  await expect(party).toBeVisible();
  await party.getByRole('button', { name: 'Keep swiping' }).click();
  await expect(party).toBeHidden();
  // Neither the next vote nor another visit brings it back.
  await vote();
  await expect(page.getByText(/^23 votes until \d\d:\d\d$/)).toBeVisible();
  await expect(party).toBeHidden();
  await page.reload();
  await expect(topOf(page)).toBeVisible();
  await expect(party).toBeHidden();
  await database.query('UPDATE user_stats SET tokens_earned = 990 WHERE user_id = $1', [user.id]);
  await vote();
  await expect(party).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(party).toBeHidden();
  await database.query('UPDATE user_stats SET tokens_earned = 10 WHERE user_id = $1', [user.id]);
});

test("at the limit the panel says 'Rate limit reached' with a countdown, then 'Resetting...' [S2.16 R8]", async ({
  page,
  newUser,
  database,
}) => {
  const user = await newUser();
  const endsIn = (time: string) =>
    database.query(
      "UPDATE user_stats SET window_votes = 25, window_started_at = now() - interval '6 hours' + $2::interval WHERE user_id = $1",
      [user.id, time],
    );
  await endsIn('1 hour');
  await page.clock.install();
  await page.goto('/');
  const stats = page.getByRole('region', { name: 'Your Statistics' });
  await expect(stats.getByText('Rate limit reached')).toBeVisible();
  await expect(deckOf(page).getByRole('button', { name: 'Bullish', exact: true })).toBeDisabled();
  // No response may set the page's clock by the server's while it is moved, not even a pending one.
  await stopTime(page);
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/**', async (route) => {
    await gate.promise;
    await route.continue();
  });
  // The countdown shows what the last response has set.
  await page.clock.runFor(2_000);
  const secondsLeft = async (): Promise<number> => {
    const [, hours = 0, minutes = 0, seconds = 0] =
      /^(?:(\d+)h )?(?:(\d+)m )?(\d+)s$/.exec(await stats.getByRole('timer').innerText()) ?? [];
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  };
  const before = await secondsLeft();
  expect(before).toBeGreaterThan(3_000);
  await page.clock.runFor(7_000);
  await expect.poll(secondsLeft).toBe(before - 7);
  await page.clock.fastForward(3_600_000);
  for (const part of [stats, deckOf(page)]) await expect(part.getByRole('timer')).toHaveText('Resetting...');
  await endsIn('-1 second');
  gate.resolve();
  await page.clock.resume();
  await expect(page.getByText('25 votes left')).toBeVisible();
  await expect(stats.getByText('Rate limit reached')).toHaveCount(0);
});

test('beside the deck: up to three reviews of the card on top, three top projects, the way to the leaderboard [S2.15 S9.8]', async ({
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
