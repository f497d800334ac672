import type { Page } from '@playwright/test';
import { type ListedProject, searchProjects } from '#shared/contract/projects.ts';
import { NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/pages.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, live, test } from './fixtures.ts';
import { ownResponse, respond } from './made-up.ts';

test('the leaderboard lists all projects by bullish share, with medals, tags and colors [S2.37 S9.9]', async ({
  page,
}) => {
  await page.goto('/leaderboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Project Leaderboard' })).toBeVisible();
  await expect(page.getByText('All projects ranked by bullish voting percentage')).toBeVisible();
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows.first()).toBeVisible();
  for (const [i, rank, medal] of [
    [0, '1st', 'gold'],
    [1, '2nd', 'silver'],
    [2, '3rd', 'bronze'],
  ] as const) {
    await expect(rows.nth(i).locator(`[data-medal=${medal}]`)).toHaveText(rank);
  }
  const percents = (await rows.allTextContents()).map((text) => Number(/(\d+)% bullish/.exec(text)?.[1]));
  expect(percents).toEqual(percents.toSorted((a, b) => b - a));
  const colours = await rows.evaluateAll((items) =>
    items.map((item) => [
      Number(/(\d+)% bullish/.exec(item.textContent)?.[1]),
      /text-(bull|warn|bear)/.exec(item.querySelector('[class*=-soft]')?.className ?? '')?.[1],
    ]),
  );
  for (const [percent, colour] of colours)
    expect(colour).toBe(Number(percent) >= 70 ? 'bull' : Number(percent) >= 50 ? 'warn' : 'bear');
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Search' }).fill('Sunday Solar');
  await expect(rows.filter({ hasText: 'Sunday Solar' }).getByText('Expired')).toBeVisible();
  await rows.first().getByRole('link').click();
  await expect(page).toHaveURL(/\/projects\/[\w-]+$/);
});

test("the leaderboard's order by verified votes is in the address and survives a reload [R44]", async ({ page }) => {
  // One vote of one is the higher share, ninety of a hundred the surer one.
  await page.route('**/api/v1/projects?*', async (route) => {
    const [row] = await ownResponse(route, searchProjects);
    if (!row) throw new Error('nothing is listed');
    const lucky = { id: 9001, slug: 'lucky', name: 'Lucky', bullishVotes: 1, bearishVotes: 0, totalVotes: 1 };
    const proven = { id: 9002, slug: 'proven', name: 'Proven', bullishVotes: 90, bearishVotes: 10, totalVotes: 100 };
    const rows = [
      { ...row, ...lucky, bullishPercentage: 100, verified: { bullish: 1, bearish: 0 } },
      { ...row, ...proven, bullishPercentage: 90, verified: { bullish: 90, bearish: 10 } },
    ];
    const isByVerified = new URL(route.request().url()).searchParams.get('sort') === 'verified';
    const ordered = isByVerified ? rows.toReversed() : rows;
    await respond(
      route,
      searchProjects,
      ordered.map((one, index) => ({ ...one, rank: index + 1 })),
    );
  });
  await page.goto('/leaderboard');
  const names = page.getByRole('main').getByRole('listitem').locator('.display');
  await expect(names).toHaveText(['Lucky', 'Proven']);
  const proven = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Proven' });
  await expect(proven).toHaveText(/100 votes.*?90\s*bullish.*?10\s*bearish.*?90%/);
  await page.getByRole('radio', { name: 'Verified' }).check();
  await expect(page).toHaveURL(/\?order=verified$/);
  await expect(page.getByText('All projects ranked by their verified votes')).toBeVisible();
  await expect(page.getByText('All projects ranked by bullish voting percentage')).toHaveCount(0);
  await expect(names).toHaveText(['Proven', 'Lucky']);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Verified' })).toBeChecked();
  await expect(names).toHaveText(['Proven', 'Lucky']);
  await expectAccessible(page);
});

const countRows = (): number => document.querySelectorAll('main li a').length;

const countLaidOut = (): number =>
  [...document.querySelectorAll('main li a')].filter((row) => row.checkVisibility({ contentVisibilityAuto: true }))
    .length;

async function listTenThousand(page: Page, further = Promise.resolve()): Promise<string[]> {
  const PAGE_ROWS = 100;
  const cursors: string[] = [];
  let first: ListedProject | undefined;
  await page.route('**/api/v1/projects?*', async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor');
    if (cursor !== null) {
      cursors.push(cursor);
      await further;
    }
    // Only the first call: later ones have a made-up cursor.
    first ??= (await ownResponse(route, searchProjects))[0];
    if (!first) throw new Error('nothing is listed');
    const start = Number(cursor ?? 0);
    const rows = Array.from({ length: PAGE_ROWS }, (_, i) => ({
      ...(first as ListedProject),
      id: start + i + 1,
      rank: start + i + 1,
      name: `Project ${start + i + 1}`,
      description: 'Words '.repeat(i % 3 === 0 ? 40 : 2),
    }));
    const place = { [NEXT_CURSOR_HEADER]: String(start + PAGE_ROWS), [TOTAL_COUNT_HEADER]: '10000' };
    await respond(route, searchProjects, rows, place);
  });
  return cursors;
}

test('a leaderboard of ten thousand projects shows its first rows at once, loads more on scrolling, and Back finds the place', async ({
  page,
}) => {
  await listTenThousand(page);
  await page.goto('/leaderboard');
  await expect(page.getByText('Project 1', { exact: true })).toBeVisible();
  expect(await page.getByRole('main').getByRole('listitem').count()).toBeLessThan(200);
  // Scrolls like a user: the end of the list moves away while rows arrive. No further than this, since Back draws all of them again.
  for (let shown = await page.evaluate(countRows); shown < 250; shown = await page.evaluate(countRows)) {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect.poll(() => page.evaluate(countRows)).toBeGreaterThan(shown);
  }
  await expect(page.getByText('Project 250', { exact: true })).toBeVisible();
  // Rows far from the screen stay, but the browser skips them.
  await expect.poll(() => page.evaluate(countLaidOut)).toBeLessThan(60);

  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Project 199' });
  await row.scrollIntoViewIfNeeded();
  const topOfRow = async () => Math.round((await row.boundingBox())?.y ?? NaN);
  const isBack = async () => {
    await page.goBack();
    // Rows of three pages are read one after another and drawn, which takes long on a busy machine.
    await expect.poll(topOfRow, { timeout: 60_000 }).toBe(top);
  };
  const top = await topOfRow();
  await row.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'Share' })).toBeVisible();
  await isBack();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Share' })).toBeVisible();
  await page.reload();
  await live(page);
  await isBack();
});
