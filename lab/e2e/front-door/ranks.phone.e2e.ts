import { plantListing } from '../listing.ts';
import { expect, press, test } from './door.ts';
import { expectAtRest, expectContentAlive, expectScreenAlive, expectVisibleToPerson, watchGeometry } from './see.ts';

const LACKING = /\d of 10 verified votes/;

test('a visitor sees which projects have a rank, and what the new ones lack for one, also in a search [R27 S2.37]', async ({
  page,
  database,
}) => {
  const { name } = await plantListing(database);
  await page.goto('/');
  await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }));
  await expectScreenAlive(page, 'Project Leaderboard');
  const main = page.getByRole('main');
  await expect(main.getByTitle(/^1st place/)).toBeVisible();

  const heading = main.getByRole('heading', { level: 2, name: 'New: not ranked yet' });
  await expect(async () => {
    await main.getByRole('listitem').last().scrollIntoViewIfNeeded();
    await expect(heading).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await heading.scrollIntoViewIfNeeded();
  await expectVisibleToPerson(heading);
  await expectContentAlive(page);
  const ranked = main.getByRole('list').filter({ has: page.getByTitle(/^1st place/) });
  await expect(ranked.getByText(LACKING)).toHaveCount(0);
  const waiting = main.getByRole('list', { name: 'New: not ranked yet' });
  const row = waiting.getByRole('listitem').filter({ hasText: name });
  // The link of a row covers it, as all of it leads to the project.
  const lacking = row.getByText('0 of 10 verified votes');
  await lacking.scrollIntoViewIfNeeded();
  await expect(lacking).toBeInViewport();
  await expect(waiting.getByTitle(/ place/)).toHaveCount(0);
  await expect(waiting.getByRole('listitem').filter({ hasNotText: LACKING })).toHaveCount(0);

  const search = main.getByRole('searchbox', { name: 'Search' });
  await search.scrollIntoViewIfNeeded();
  await search.fill(name);
  await expect(main.getByText('1 project found')).toBeVisible();
  await expectVisibleToPerson(heading);
  await lacking.scrollIntoViewIfNeeded();
  await expect(lacking).toBeInViewport();
  expectAtRest(await watchGeometry(waiting, 500), 'the projects without a rank');
});
