/** An owner renames a listing that has votes: its figures mention it everywhere, and it gains no rank. */
import type { ListedProject } from '#shared/contract/projects.ts';
import type { ListingVersion } from '#shared/contract/versions.ts';
import { verifiedBound } from '#shared/figures/sorts.ts';
import { voteElsewhere } from '../fixtures.ts';
import { plantListing } from '../listing.ts';
import { setting } from '../setting.ts';
import { uniqueText } from '../unique.ts';
import { chooseInMenu, expect, expectToast, press, signIn, signTransaction, test } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const VOTERS = 3;

const read = async <T>(path: string): Promise<T> => (await (await fetch(`${setting('E2E_URL')}${path}`)).json()) as T;

/** The bound by which 'Verified' ranks a listing; its rank also depends on what other journeys do. */
async function boundOf(name: string): Promise<number> {
  const query = `sort=verified&search=${encodeURIComponent(name)}`;
  const [row] = await read<ListedProject[]>(`/api/v1/projects?${query}`);
  if (!row) throw new Error(`${name} is not listed`);
  return verifiedBound(row);
}

test('a paid new name is compared with the old one, figures mention it everywhere, and Verified does not rise [R60]', async ({
  page,
  database,
}) => {
  await page.goto('/');
  const wallet = await signIn(page);
  const [before, after] = [`Quiet ${uniqueText()}`, `Loud ${uniqueText()}`];
  const listing = await plantListing(database, { name: before, wallet });
  for (let n = 0; n < VOTERS; n += 1) await voteElsewhere(listing);
  const bound = await boundOf(before);

  await chooseInMenu(page, 'Portfolio');
  await press(page.getByRole('button', { name: `Update (5 SUI) ${before}` }));
  const update = page.getByRole('dialog', { name: 'Update Project' });
  await update.getByRole('textbox', { name: 'Project Name' }).fill(after);
  await expectVisibleToPerson(update.getByText('All 3 votes will count as cast before this change.'));
  await press(update.getByRole('button', { name: 'Pay 5 SUI & Update' }));
  await signTransaction(page);
  await expectToast(page, 'Project updated!');

  await press(page.getByRole('link', { name: after, exact: true }));
  await expectScreenAlive(page, after);
  const mention = `${VOTERS} of ${VOTERS} votes were cast before it was renamed from ${before}`;
  await expectVisibleToPerson(page.getByText(mention));
  await press(page.getByRole('button', { name: 'Changed once' }));
  const comparison = page.getByRole('dialog', { name: 'Changed once' });
  await expectVisibleToPerson(comparison.getByText(before, { exact: true }));
  await expectVisibleToPerson(comparison.getByText(after, { exact: true }));
  await press(comparison.getByRole('button', { name: 'Close' }));

  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }));
  await page.getByRole('searchbox', { name: 'Search' }).fill(after);
  // The whole row is a link, which covers its words.
  await expect(page.getByRole('main').getByRole('listitem').getByText(mention)).toBeVisible();

  const versions = await read<ListingVersion[]>(`/api/v1/projects/${listing.slug}/versions`);
  expect(versions.map(({ name }) => name)).toEqual([after, before]);
  const badge = await fetch(`${setting('E2E_URL')}/badge/${listing.slug}.svg`);
  expect(await badge.text()).toContain(mention);
  expect(await boundOf(after)).toBeLessThanOrEqual(bound);
});
