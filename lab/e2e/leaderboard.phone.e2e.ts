import { searchProjects } from '#shared/contract/projects.ts';
import { waitForAnimations } from './accessibility.ts';
import { expect, test, withoutFirstData } from './fixtures.ts';
import { ownResponse, respond } from './made-up.ts';

test('the rank of an expired project is drawn over its picture, which leads to the project [S2.37]', async ({
  page,
}) => {
  await page.route('**/api/v1/projects?*', async (route) => {
    const rows = await ownResponse(route, searchProjects);
    await respond(
      route,
      searchProjects,
      rows.map((row) => ({ ...row, expired: true })),
    );
  });
  await withoutFirstData(page, '/leaderboard');
  await page.goto('/leaderboard');
  const row = page.getByRole('main').getByRole('listitem').first();
  await row.scrollIntoViewIfNeeded();
  await expect(row.getByText('Expired')).toBeVisible();
  await waitForAnimations(page);
  const layers = await row.getByTitle(/^1st place/).evaluate((rank) => {
    const box = rank.getBoundingClientRect();
    const above = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return above.slice(0, 1 + above.findIndex((element) => element === rank)).map(({ tagName }) => tagName);
  });
  expect(layers).toEqual(['A', 'SPAN']);
});

test("three cards, fanned, and the first lines stand on a phone's first screen [S2.37]", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await page.goto('/leaderboard');
  const [first, second, third, ...lines] = await page
    .getByRole('main')
    .getByRole('listitem')
    .evaluateAll((items) =>
      items.slice(0, 6).map((item, index) => {
        const box = index < 3 ? item.firstElementChild : item;
        return box?.getBoundingClientRect().toJSON() as DOMRect;
      }),
    );
  if (!first || !second || !third) throw new Error('the site lists fewer than three');
  expect(second.x).toBeLessThan(first.x);
  expect(first.x).toBeLessThan(third.x);
  expect(first.width).toBeGreaterThan(second.width);
  for (const { y } of lines) expect(y).toBeLessThan(664);
  for (const at of [0, 1, 2])
    await expect(page.getByRole('main').getByRole('listitem').nth(at)).toContainText(/\d+bearish.{20}/);
  const order = page.getByRole('link', { name: 'Trending' });
  await expect(order).toBeInViewport({ ratio: 1 });
});
