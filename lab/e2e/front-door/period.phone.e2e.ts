/** 31 days later: the listing period of a project has turned, and its voters are asked again. */
import type { JSHandle, Page } from '@playwright/test';
import { voteElsewhere } from '../fixtures.ts';
import { type Listing, plantListing } from '../listing.ts';
import { voteAsPerson } from './deck.ts';
import { chooseInMenu, type Database, deckOf, expect, signIn, test, topCard } from './door.ts';
import { expectContentAlive, expectVisibleToPerson } from './see.ts';

const turnPeriod = (database: Database, { id }: Listing) =>
  database.query(
    `UPDATE projects SET expires_at = expires_at - (period_starts[2] - now()),
       period_starts = ARRAY[period_starts[1] - (period_starts[2] - now()), now()] WHERE id = $1`,
    [id],
  );

const watchLanded = (page: Page): Promise<JSHandle<string[]>> =>
  page.evaluateHandle(() => {
    const said: string[] = [];
    new MutationObserver(() => {
      const text = document.querySelector('[data-reveal]')?.textContent;
      if (text !== undefined) said.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return said;
  });

async function expectHistory(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  const recent = page.getByRole('region', { name: 'Recent Voting History' }).getByRole('listitem');
  await expect(recent.filter({ hasText: name })).toHaveText([/Bearish.*\+10 tokens/, /Bullish.*\+10 tokens/]);
  const votes = page.getByRole('list', { name: 'All your calls' }).getByRole('listitem');
  await expect(votes).toHaveText([/Bearish \d+ \w+ \d{4}/, /Bullish \d+ \w+ \d{4}.*Replaced by a newer vote/]);
  await expectVisibleToPerson(votes.getByText('Replaced by a newer vote'));
  await expectContentAlive(page);
}

const AGREEMENT = /(\d+) of (\d+) others? voted like you/;
function countsIn(text: string | null | undefined): { alike: number; others: number } {
  const [, alike, others] = AGREEMENT.exec(text ?? '') ?? [];
  return { alike: Number(alike), others: Number(others) };
}

test('31 days later the card comes back, its result unseen; the newest vote counts, the first stays in the history [R45 R59]', async ({
  page,
  database,
  loads,
}) => {
  // Renewed already, so that no other journey's votes come back with its period.
  const listing = await plantListing(database, { days: [30, 32], periods: [1] });
  await voteElsewhere(listing);
  await page.goto(`/projects/${listing.slug}`);
  const panel = page.getByRole('region', { name: 'Your vote' });
  const bullish = panel.getByRole('button', { name: 'Bullish' });
  const wallet = await signIn(page, { opener: bullish });
  await expect(panel.getByText('Still bullish?')).toHaveCount(0);
  const agreement = panel.getByText(AGREEMENT);
  await expect(agreement).toBeVisible();
  const first = countsIn(await agreement.textContent());
  expect(first.alike).toBeGreaterThanOrEqual(1);
  expect(first.others).toBeGreaterThanOrEqual(first.alike);

  await turnPeriod(database, listing);
  loads.expected += 1;
  await page.goto(`/?card=${listing.slug}`);
  await expect(topCard(page)).toHaveAccessibleName(listing.name);
  // Under the stamp of a swipe, which cannot be seen yet.
  await expect(topCard(page).getByText('Still bullish?')).toBeVisible();
  await expect(deckOf(page)).not.toContainText(/%|like you|Last time/);
  const landed = await watchLanded(page);
  await voteAsPerson(page, database, wallet, { direction: 'bearish', by: 'swipe' });
  await expect
    .poll(async () => (await landed.jsonValue()).at(-1))
    .toMatch(/\d+ of \d+ others? voted like you.*Last time: bullish.*Counts on Monday \d+ \w+, if you hold 1 SUI$/);
  const newest = countsIn((await landed.jsonValue()).at(-1));
  // The other voter said bullish, and the user's own vote is not among the others.
  expect(newest.alike).toBeLessThan(newest.others);
  await expectHistory(page, listing.name);
});
