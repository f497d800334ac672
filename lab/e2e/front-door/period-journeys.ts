/** 31 days later: the listing period of a project has turned, and its voters are asked again. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { JSHandle, Page } from '@playwright/test';
import { SESSION_COOKIE } from '#shared/constants.ts';
import { signInOverHttp } from '../fixtures.ts';
import { setting } from '../setting.ts';
import { uniqueText } from '../unique.ts';
import { deckOf, topCard, voteAsPerson } from './deck.ts';
import { chooseInMenu, type Door, expect, press, signIn, test } from './door.ts';
import { expectContentAlive, expectVisibleToPerson } from './see.ts';

// The parts that take a month, and the payment of a renewal, are prepared: a renewed listing, and the turn of its period.
type Database = Door['database'];

interface Listing {
  id: number;
  slug: string;
  name: string;
}

/** A listing of a demo voter that is renewed already, so that no other journey's votes come back with its period. */
async function listRenewed(database: Database): Promise<Listing> {
  const { rows } = await database.query<Listing>(
    `WITH listing AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, created_at, expires_at, period_starts)
       SELECT 'again-' || $1::text, 'Again ' || $1::text, category, description, image_hash, twitter_handle, owner_id, now() - interval '30 days',
         now() + interval '32 days', ARRAY[now() - interval '30 days', now() + interval '1 day']
       FROM projects WHERE slug = 'paper-foxes' RETURNING id, slug, name
     ), counters AS (INSERT INTO project_stats (project_id) SELECT id FROM listing)
     SELECT id::int, slug, name FROM listing`,
    [uniqueText()],
  );
  const [listing] = rows;
  if (!listing) throw new Error('nothing was listed');
  return listing;
}

async function voteElsewhere({ id }: Listing): Promise<void> {
  const user = await signInOverHttp(new Ed25519Keypair());
  const response = await fetch(`${setting('E2E_URL')}/api/votes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `${SESSION_COOKIE}=${user.cookie}` },
    body: JSON.stringify({ userId: user.id, projectId: id, voteType: 'bullish', tokensEarned: 10 }),
  });
  expect(response.status).toBe(200);
}

const turnPeriod = (database: Database, { id }: Listing) =>
  database.query(
    `UPDATE projects SET expires_at = expires_at - (period_starts[2] - now()),
       period_starts = ARRAY[period_starts[1] - (period_starts[2] - now()), now()] WHERE id = $1`,
    [id],
  );

const watchPill = (page: Page): Promise<JSHandle<string[]>> =>
  page.evaluateHandle(() => {
    const said: string[] = [];
    new MutationObserver(() => {
      const text = document.querySelector('[data-vote-pill]')?.textContent;
      if (text !== undefined) said.push(text);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return said;
  });

async function expectHistory(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  const recent = page.getByRole('region', { name: 'Recent Voting History' }).getByRole('listitem');
  await expect(recent.filter({ hasText: name })).toHaveText([/Bearish.*\+10 tokens/, /Bullish.*\+10 tokens/]);
  await press(page.getByRole('button', { name: 'See each vote' }));
  const votes = page.getByRole('list', { name: 'Your votes and what they count for' }).getByRole('listitem');
  await expect(votes).toHaveText([/Not verified yet.*Bearish since/, /Replaced by a newer vote.*Bullish since/]);
  await expectVisibleToPerson(votes.getByText('Replaced by a newer vote'));
  await expectContentAlive(page);
}

const AGREEMENT = /(\d+) of (\d+) others? voted like you/;
function countsIn(text: string | null | undefined): { alike: number; others: number } {
  const [, alike, others] = AGREEMENT.exec(text ?? '') ?? [];
  return { alike: Number(alike), others: Number(others) };
}

export function periodJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`31 days later the card comes back, its result unseen; the newest vote counts, the first stays in the history (${theme}) [R45 R59]`, async ({
      page,
      database,
      loads,
    }) => {
      const listing = await listRenewed(database);
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
      const pill = await watchPill(page);
      await voteAsPerson(page, database, wallet, { direction: 'bearish', by: 'swipe' });
      await expect
        .poll(async () => (await pill.jsonValue()).at(-1))
        .toMatch(/Last time: bullish.*\d+ of \d+ others? voted like you$/);
      const newest = countsIn((await pill.jsonValue()).at(-1));
      // The other voter said bullish, and the user's own vote is not among the others.
      expect(newest.alike).toBeLessThan(newest.others);
      await expectHistory(page, listing.name);
    });
  });
}
