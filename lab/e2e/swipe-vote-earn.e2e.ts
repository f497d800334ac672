import { VOTES_PER_WINDOW } from '#shared/constants.ts';
import { drag, expect, lockOver, sessionUser, test, voteByButton, voteOverHttp } from './fixtures.ts';

test('a visitor connects, signs, swipes to the limit, and finds it all again [S1.1 S1.3 R1]', async ({
  page,
  signIn,
  database,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Swipe. Vote. Earn.' })).toBeVisible();
  await signIn();

  const deck = page.getByRole('region', { name: 'Project cards' });
  const top = deck.locator('[data-depth="0"]');
  await expect(top).toBeVisible();
  const stats = page.getByRole('region', { name: 'Your Statistics' });
  await expect(stats.getByText(/Votes remaining/i)).toBeVisible();

  const first = (await top.getAttribute('data-project')) ?? '';
  await drag(page, top, 180);
  await expect(page.getByText('+10 TOKENS', { exact: true })).toBeVisible();
  await expect(top).not.toHaveAttribute('data-project', first);
  await expect(page.getByRole('link', { name: /10 snaps/i })).toBeVisible();

  await lockOver(page);
  await voteByButton(page, 'Bearish');
  await voteByButton(page, 'Bullish');
  const { rows: directions } = await database.query<{ bullish: boolean }>(
    `SELECT bullish FROM votes JOIN users ON users.id = user_id WHERE wallet_address = $1 ORDER BY votes.created_at`,
    [(await sessionUser(page)).walletAddress],
  );
  expect(directions.map(({ bullish }) => bullish)).toEqual([true, false, true]);

  // All but the last of the others without the animations, as the same user.
  const user = await sessionUser(page);
  await voteOverHttp(page.request, user.id, VOTES_PER_WINDOW - 4);
  await page.reload();
  await expect(page.getByText(/^1 vote until \d\d:\d\d$/)).toBeVisible();
  await deck
    .getByRole('region', { name: "Today's deck is done" })
    .getByRole('button', { name: 'Keep swiping' })
    .click();
  await voteByButton(page, 'Bullish');
  await expect(stats.getByText('Rate limit reached')).toBeVisible();
  await expect(page.getByRole('link', { name: /250 snaps/i })).toBeVisible();
  await expect(deck.getByRole('button', { name: 'Bullish', exact: true })).toBeDisabled();

  await page.reload();
  await expect(stats.getByText('Rate limit reached')).toBeVisible();
  await expect(page.getByRole('link', { name: /250 snaps/i })).toBeVisible();

  const { rows } = await database.query<{ votes: number; tokens: number }>(
    'SELECT (SELECT count(*)::int FROM votes WHERE user_id = $1) AS votes, (SELECT sum(amount)::int FROM ledger_entries WHERE user_id = $1) AS tokens',
    [user.id],
  );
  expect(rows[0]).toEqual({ votes: 25, tokens: 250 });
});
