import type { Page } from '@playwright/test';
import { type ListedProject, searchProjects } from '#shared/contract/projects.ts';
import { NEXT_CURSOR_HEADER, TOTAL_COUNT_HEADER } from '#shared/site/pages.ts';
import { expect, test } from './fixtures.ts';
import { ownResponse, respond } from './made-up.ts';

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
  for (let shown = await page.evaluate(countRows); shown < 250; shown = await page.evaluate(countRows)) {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await expect.poll(() => page.evaluate(countRows)).toBeGreaterThan(shown);
  }
  await expect(page.getByText('Project 250', { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(countLaidOut)).toBeLessThan(120);

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
  await expect(page.getByRole('heading', { name: /^Reviews/ })).toBeVisible();
  await isBack();
  await page.goForward();
  await expect(page.getByRole('heading', { name: /^Reviews/ })).toBeVisible();
  await page.reload();
  await isBack();
});
