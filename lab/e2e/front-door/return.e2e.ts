/** The reasons to come back: a shared link, a vote on the spot, its result, a change of mind, and the day's deck to its end. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { lockOver } from '../fixtures.ts';
import { storedVotes, voteButton } from './deck.ts';
import { byFinger, chooseInMenu, type Database, deckOf, expect, press, signIn, test, topCard } from './door.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const LINK = '/projects/tidepool-swap';
const NAME = 'Tidepool Swap';
const votePanel = (page: Page) => page.getByRole('region', { name: 'Your vote' });
const summary = (page: Page) => deckOf(page).getByRole('region', { name: "Today's deck is done" });

/** At once: the time for an undo runs while its pop-up still moves. */
async function pressAtOnce(page: Page, name: RegExp | string): Promise<void> {
  const button = page.getByRole('button', { name });
  await (byFinger() ? button.tap() : button.click());
}

async function expectFirstScreen(page: Page): Promise<void> {
  await expectScreenAlive(page, NAME);
  const height = page.viewportSize()?.height ?? 0;
  for (const part of [
    page.getByRole('img', { name: `Picture of ${NAME}` }),
    page.getByRole('article').getByText(/^Concentrated liquidity/),
    votePanel(page).getByRole('button', { name: 'Bearish' }),
    votePanel(page).getByRole('button', { name: 'Bullish' }),
  ]) {
    const box = await part.boundingBox();
    expect((box?.y ?? NaN) + (box?.height ?? NaN), `${String(part)} ends on the first screen`).toBeLessThanOrEqual(
      height,
    );
  }
}

/** Votes on the cards of the day: all ten, unless another journey has turned the listing period of one of them since. */
/** Without first votes on a project, which no other vote can match. */
async function countVotesOfDeck(database: Database, wallet: string): Promise<number> {
  const { rows } = await database.query<{ votes: number }>(
    `SELECT count(*)::int AS votes FROM users u JOIN daily_decks d ON d.user_id = u.id JOIN votes v ON v.user_id = u.id
     JOIN projects p ON p.id = v.project_id AND v.period = period_at(p.period_starts, now())
     WHERE u.wallet_address = $1 AND v.project_id = ANY (d.project_ids)
       AND EXISTS (SELECT FROM votes o WHERE o.project_id = v.project_id AND o.user_id <> v.user_id)`,
    [wallet],
  );
  return rows[0]?.votes ?? 0;
}

/** The strip of the day: the vote on the page first, then those of the deck in their order. */
async function expectStrip(page: Page, card: number): Promise<void> {
  const stamps = Array.from({ length: card + 1 }, (_, at) => (at % 2 === 0 ? 'bullish' : 'bearish'));
  const strip = deckOf(page).locator('[data-today] [data-stamp]');
  await expect
    .poll(() => strip.evaluateAll((cards) => cards.map((one) => one.getAttribute('data-stamp'))))
    .toEqual(['bearish', ...stamps]);
}

async function finishDailyDeck(page: Page): Promise<void> {
  for (let card = 0; card < 10 && !(await summary(page).isVisible()); card += 1) {
    const id = await topCard(page).getAttribute('data-project');
    const counted = page.waitForResponse((response) => response.url().endsWith('/api/votes'));
    await voteButton(page, card % 2 === 0 ? 'Bullish' : 'Bearish').click();
    expect((await counted).status()).toBe(200);
    await expect(deckOf(page).locator(`[data-depth="0"][data-project="${id}"]`)).toHaveCount(0);
    if (card < 8) await expectStrip(page, card);
    await lockOver(page);
  }
}

const REASONS = { bearish: 'Risk', bullish: 'Product' } as const;

async function countReasons(database: Database, wallet: string, reasons: number): Promise<number> {
  const { rows } = await database.query<{ votes: number }>(
    `SELECT count(*)::int AS votes FROM users u JOIN vote_reasons r ON r.user_id = u.id
     WHERE u.wallet_address = $1 AND r.reasons = $2`,
    [wallet, reasons],
  );
  return rows[0]?.votes ?? 0;
}

/** One press for all votes of a direction, two to change a single one. */
async function sayWhy(page: Page, database: Database, wallet: string): Promise<void> {
  const results = summary(page).getByRole('button', {
    name: /B\w+: (\d+ of \d+ others? voted like you|First vote on this project)$/,
  });
  const votes = await summary(page).getByRole('listitem').count();
  await expect(results).toHaveCount(votes);
  for (const direction of ['bearish', 'bullish'] as const) {
    const group = summary(page).getByRole('group', { name: new RegExp(`^Why ${direction} on th`) });
    const chip = group.getByRole('button', { name: REASONS[direction] });
    await press(chip);
    await expect(chip).toHaveAttribute('aria-pressed', 'true');
  }
  // Bits of the reasons: product 2, risk 8, community 16.
  const given = async () => (await countReasons(database, wallet, 2)) + (await countReasons(database, wallet, 8));
  await expect.poll(given).toBe(votes);
  await press(results.filter({ hasText: 'Bullish' }).first());
  const own = summary(page).getByRole('group', { name: /^Why on / });
  await press(own.getByRole('button', { name: 'Community' }));
  await expect(own.getByRole('button', { pressed: true })).toHaveText(['Product', 'Community']);
  await expect.poll(() => countReasons(database, wallet, 2 + 16)).toBe(1);
}

/** The week that begins the portfolio has the votes of the day, and is the picture that is shared. */
async function shareTicket(page: Page, votes: number): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  const ticket = page.getByRole('region', { name: 'This week' });
  await expectVisibleToPerson(ticket.getByText(`${votes}`, { exact: true }).first());
  await expect(ticket.locator('[data-stamp]')).toHaveCount(votes);
  await press(ticket.getByRole('button', { name: 'Share' }));
  const saved = page.waitForEvent('download');
  await press(page.getByRole('dialog', { name: 'Share your week' }).getByRole('button', { name: 'Save picture' }));
  const picture = await readFile(await (await saved).path());
  expect([picture.subarray(1, 4).toString(), picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([
    'PNG',
    1080,
    1350,
  ]);
}

/** The star says what was chosen, and the row what was voted. */
async function seeOwnVoteOnBoard(page: Page): Promise<void> {
  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }));
  await press(page.getByRole('searchbox', { name: 'Search' }));
  await page.keyboard.type(NAME);
  const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: NAME, exact: true }) });
  // The link of the row lies over it.
  await expect(row.getByText('You: bearish')).toBeVisible();
  await expect(row.getByRole('button', { name: `Follow ${NAME}` })).toHaveAttribute('aria-pressed', 'false');
}

test('a shared link, a vote before the sign-in, undone, cast again, its result, and the daily deck, whose votes get their reasons in two presses at its end and make the ticket of the week [R49 R89 R98]', async ({
  page,
  database,
}) => {
  await page.goto(LINK);
  await expectFirstScreen(page);
  const bullish = votePanel(page).getByRole('button', { name: 'Bullish' });
  const wallet = await signIn(page, { opener: bullish });
  await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
  await expect.poll(() => storedVotes(database, wallet)).toMatchObject([{ names: [NAME], bullish: true }]);
  await expect(votePanel(page).getByText(/^You voted bullish$/)).toBeVisible();
  await pressAtOnce(page, /^Undo your vote/);
  await expect(bullish).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => storedVotes(database, wallet)).toEqual([]);
  await press(votePanel(page).getByRole('button', { name: 'Bearish' }));
  await expect.poll(() => storedVotes(database, wallet)).toMatchObject([{ names: [NAME], bullish: false }]);
  await pressAtOnce(page, 'Show result');
  await expect(votePanel(page).getByText(/^\d+ of \d+ others voted like you$/)).toBeVisible();
  await expect(votePanel(page).getByRole('button', { name: /^Undo/ })).toHaveCount(0);

  await press(page.getByRole('link', { name: 'Back to Voting' }));
  await expect(deckOf(page).getByText(/^1 of 10 today$/)).toBeVisible();
  await finishDailyDeck(page);
  await expectVisibleToPerson(summary(page).getByRole('heading', { name: "Today's deck is done" }));
  const directions = summary(page).getByText(/^\d+ bullish, \d+ bearish$/);
  await expect
    .poll(async () => {
      const votes = (await directions.innerText())
        .split(', ')
        .reduce((sum, part) => sum + Number.parseInt(part, 10), 0);
      return votes <= 10 && votes >= (await countVotesOfDeck(database, wallet));
    })
    .toBe(true);
  await expectContentAlive(page);
  await sayWhy(page, database, wallet);
  await expectContentAlive(page);
  const votes = await summary(page).getByRole('listitem').count();
  await press(summary(page).getByRole('button', { name: 'Keep swiping' }));
  await expect(summary(page)).toHaveCount(0);
  await expectVisibleToPerson(topCard(page));
  await seeOwnVoteOnBoard(page);
  await shareTicket(page, votes);
});
