/** An owner renames a listing that has votes: its figures mention it everywhere, and it gains no rank. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { SESSION_COOKIE } from '#shared/constants.ts';
import type { ListedProject } from '#shared/contract/projects.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { verifiedBound } from '#shared/sorts.ts';
import { signInOverHttp } from '../fixtures.ts';
import { setting } from '../setting.ts';
import { uniqueText } from '../unique.ts';
import { chooseInMenu, type Door, expect, press, signIn, test } from './door.ts';
import { listByDemo } from './ask-journeys.ts';
import { topCard, voteButton } from './deck.ts';
import { expectToast } from './screens-journeys.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const VOTERS = 3;

// The votes of others are prepared: a listing of the user's, as if it had been paid for days ago.
async function listWithVotes(database: Door['database'], wallet: string, name: string): Promise<string> {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const { rows } = await database.query<{ id: number }>(
    `WITH listing AS (
       INSERT INTO projects (slug, name, category, description, image_hash, twitter_handle, owner_id, created_at, expires_at)
       SELECT $2, $3, category, description, image_hash, twitter_handle, (SELECT id FROM users WHERE wallet_address = $1),
         now() - interval '10 days', now() + interval '20 days'
       FROM projects WHERE slug = 'paper-foxes' RETURNING id
     ), counters AS (INSERT INTO project_stats (project_id) SELECT id FROM listing)
     SELECT id::int FROM listing`,
    [wallet, slug, name],
  );
  for (let n = 0; n < VOTERS; n += 1) {
    const user = await signInOverHttp(new Ed25519Keypair());
    const response = await fetch(`${setting('E2E_URL')}/api/votes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `${SESSION_COOKIE}=${user.cookie}` },
      body: JSON.stringify({ userId: user.id, projectId: rows[0]?.id, voteType: 'bullish', tokensEarned: 10 }),
    });
    expect(response.status).toBe(200);
  }
  return slug;
}

const read = async <T>(path: string): Promise<T> => (await (await fetch(`${setting('E2E_URL')}${path}`)).json()) as T;

/** The bound by which 'Verified' ranks a listing; its rank also depends on what other journeys do. */
async function boundOf(name: string): Promise<number> {
  const query = `sort=verified&search=${encodeURIComponent(name)}`;
  const [row] = await read<ListedProject[]>(`/api/v1/projects?${query}`);
  if (!row) throw new Error(`${name} is not listed`);
  return verifiedBound(row);
}

export function renameJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`a paid new name is compared with the old one, figures mention it everywhere, and Verified does not rise (${theme}) [R60]`, async ({
      page,
      database,
    }) => {
      await page.goto('/');
      const wallet = await signIn(page);
      const [before, after] = [`Quiet ${uniqueText()}`, `Loud ${uniqueText()}`];
      const slug = await listWithVotes(database, wallet, before);
      const bound = await boundOf(before);

      await chooseInMenu(page, 'Portfolio');
      await press(page.getByRole('button', { name: `Update (5 SUI) ${before}` }));
      const update = page.getByRole('dialog', { name: 'Update Project' });
      await update.getByRole('textbox', { name: 'Project Name' }).fill(after);
      await expectVisibleToPerson(update.getByText('All 3 votes will count as cast before this change.'));
      await press(update.getByRole('button', { name: 'Pay 5 SUI & Update' }));
      await press(page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Sign' }));
      await expectToast(page, 'Project updated!');

      await press(page.getByRole('link', { name: after, exact: true }));
      await expectScreenAlive(page, after);
      const mention = `${VOTERS} of ${VOTERS} votes were cast before it was renamed from ${before}`;
      await expectVisibleToPerson(page.getByText(mention));
      await press(page.getByRole('button', { name: 'Changed 1 time' }));
      const comparison = page.getByRole('dialog', { name: 'Changed 1 time' });
      await expectVisibleToPerson(comparison.getByText(before, { exact: true }));
      await expectVisibleToPerson(comparison.getByText(after, { exact: true }));
      await press(comparison.getByRole('button', { name: 'Close' }));

      await press(page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }));
      await page.getByRole('searchbox', { name: 'Search' }).fill(after);
      // The whole row is a link, which covers its words.
      await expect(page.getByRole('main').getByRole('listitem').getByText(mention)).toBeVisible();

      const versions = await read<ListingVersion[]>(`/api/v1/projects/${slug}/versions`);
      expect(versions.map(({ name }) => name)).toEqual([after, before]);
      const badge = await fetch(`${setting('E2E_URL')}/badge/${slug}.svg`);
      expect(await badge.text()).toContain(mention);
      expect(await boundOf(after)).toBeLessThanOrEqual(bound);
    });
  });
}

export function staleCardJourney(theme: 'light' | 'dark'): void {
  test.describe(() => {
    test.use({ colorScheme: theme });
    test(`a vote on a card whose project has another name by now does not count; the card comes again as it is now (${theme}) [R60]`, async ({
      page,
      database,
      loads,
      allowed,
    }) => {
      allowed.push(/409.*\/api\/votes/);
      const [before, after] = [`Quiet ${uniqueText()}`, `Loud ${uniqueText()}`];
      const { id, slug } = await listByDemo(database, before);
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
  });
}
