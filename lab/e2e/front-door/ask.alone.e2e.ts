/** Own votes of a week ago come back in the deck, with what changed since; confirming one keeps the streak. */
import { devices, type Page } from '@playwright/test';
import { type Listing, plantListing } from '../listing.ts';
import { uniqueText } from '../unique.ts';
import { voteButton } from './deck.ts';
import { type Database, deckOf, expect, expectToast, press, signIn, test, topCard } from './door.ts';
import { letDaysPass } from './older-votes.ts';
import { expectContentAlive, expectVisibleToPerson } from './see.ts';

const changesOf = async (database: Database, wallet: string): Promise<number> => {
  const { rows } = await database.query<{ changes: number }>(
    `SELECT count(*)::int AS changes FROM vote_changes WHERE user_id = (SELECT id FROM users WHERE wallet_address = $1)`,
    [wallet],
  );
  return rows[0]?.changes ?? 0;
};

test.use({ ...devices['Pixel 7'], colorScheme: 'dark' });

const CARDS = 10;

/**
 * Answers the cards of these projects as the deck deals them, and skips the others: a skipped card comes back after all
 * others.
 */
async function answerAsDealt(page: Page, answers: ReadonlyMap<string, () => Promise<void>>): Promise<void> {
  const open = new Map(answers);
  for (let dealt = 0; dealt < CARDS && open.size > 0; dealt += 1) {
    const onTop = (await topCard(page).getAttribute('aria-label')) ?? '';
    const answer = open.get(onTop);
    open.delete(onTop);
    await (answer ? answer() : press(deckOf(page).getByRole('button', { name: /Skip/ })));
    // After the last card of the day, its summary has the place of the deck.
    if (open.size > 0) await expect(topCard(page)).not.toHaveAccessibleName(onTop);
  }
  expect([...open.keys()], 'cards that were not dealt').toEqual([]);
}

test('the deck asks about votes of a week ago and says what changed since; confirming one keeps the streak [R61 R60 R57]', async ({
  page,
  database,
  loads,
}) => {
  const listings: Listing[] = [];
  for (const name of ['Quiet', 'Plain', 'Last'])
    listings.push(await plantListing(database, { name: `${name} ${uniqueText()}`, days: [25, 6] }));
  const [renamed, plain, last] = listings;
  if (!renamed || !plain || !last) throw new Error('three are listed');
  await page.goto(`/projects/${renamed.slug}`);
  const panel = page.getByRole('region', { name: 'Your vote' });
  const bullish = panel.getByRole('button', { name: 'Bullish' });
  const wallet = await signIn(page, { opener: bullish });
  await expect(bullish).toHaveAttribute('aria-pressed', 'true');
  for (const { slug } of [plain, last]) {
    loads.expected += 1;
    await page.goto(`/projects/${slug}`);
    await press(bullish);
    await expect(panel.getByText(/voted like you|First vote on this project/)).toBeVisible({ timeout: 20_000 });
  }

  await letDaysPass(database, wallet, { days: 8, except: last.id });
  const newName = renamed.name.replace('Quiet', 'Loud');
  await database.query('UPDATE projects SET name = $2 WHERE id = $1', [renamed.id, newName]);
  loads.expected += 1;
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();

  const answer = async (name: 'Bullish' | 'Bearish') => {
    const before = await changesOf(database, wallet);
    // Under the stamp of a swipe, which cannot be seen yet.
    await expect(topCard(page).getByText('Still bullish?')).toBeVisible();
    await press(voteButton(page, name));
    await expect.poll(() => changesOf(database, wallet)).toBe(before + 1);
  };
  await answerAsDealt(
    page,
    new Map([
      [
        newName,
        async () => {
          const since = `Since your vote, it was renamed from ${renamed.name}`;
          await expectVisibleToPerson(topCard(page).getByText(since));
          await answer('Bearish');
        },
      ],
      [
        plain.name,
        async () => {
          await expect(topCard(page).getByText(/^Since your vote/)).toHaveCount(0);
          await answer('Bullish');
        },
      ],
    ]),
  );
  await expectVisibleToPerson(page.getByRole('banner').getByRole('link', { name: '30 Snaps', exact: true }));
  await expect(page.getByRole('region', { name: 'Your Statistics' })).toContainText('2 days');
  await expectContentAlive(page);
});

test('a vote on a card whose project has another name by now does not count; the card comes again as it is now [R60]', async ({
  page,
  database,
  loads,
  allowed,
}) => {
  allowed.push(/409.*\/api\/votes/);
  const [before, after] = [`Quiet ${uniqueText()}`, `Loud ${uniqueText()}`];
  const { id, slug } = await plantListing(database, { name: before, days: [25, 6] });
  await page.goto('/');
  const wallet = await signIn(page);
  loads.expected += 1;
  await page.goto(`/?card=${slug}`);
  await expect(topCard(page)).toHaveAccessibleName(before);

  await database.query('UPDATE projects SET name = $2 WHERE id = $1', [id, after]);
  await press(voteButton(page, 'Bullish'));
  await expectToast(page, `${before} has changed`);
  await expect(topCard(page)).toHaveAccessibleName(after);
  const votesOf = async () => {
    const { rows } = await database.query(
      'SELECT bullish FROM votes WHERE project_id = $1 AND user_id = (SELECT id FROM users WHERE wallet_address = $2)',
      [id, wallet],
    );
    return rows;
  };
  expect(await votesOf()).toEqual([]);
  await press(voteButton(page, 'Bearish'));
  await expect.poll(votesOf).toEqual([{ bullish: false }]);
  await expect(topCard(page)).not.toHaveAccessibleName(after);
  await expectContentAlive(page);
});
