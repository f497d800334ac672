/** The benefits of a listing, and how other sites show it. */
import type { Browser, Locator, Page } from '@playwright/test';
import { setting } from '../setting.ts';
import { expect, press, signIn, test } from './door.ts';
import { startOtherSite } from './other-site.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

async function expectWeek(page: Page): Promise<void> {
  await press(page.getByText('7 days', { exact: true }));
  await expect(page).toHaveURL(/\?days=7$/);
  for (const title of ['Views by day', 'Votes by day', 'Link clicks and shares by day', 'Bullish share by day'])
    await expectVisibleToPerson(page.getByText(title, { exact: true }));
  const drawn = page.getByRole('main').locator('canvas');
  await expect(drawn).toHaveCount(4);
  await expectVisibleToPerson(page.getByRole('rowheader', { name: 'Views', exact: true }));
  await press(page.getByText('Show the 7 days as a table').first());
  const table = page.getByRole('region', { name: 'Views by day, as a table' });
  await expect(table.getByRole('row')).toHaveCount(8);
  await expectVisibleToPerson(
    page.getByRole('region', { name: 'Where views come from' }).getByText('Deck', { exact: true }),
  );
  await expectContentAlive(page);
}

const isDrawn = (image: Locator): Promise<boolean> =>
  image.evaluate((element) => element instanceof HTMLImageElement && element.complete && element.naturalWidth === 360);

async function expectShownElsewhere(browser: Browser, snippets: readonly string[], name: string): Promise<void> {
  const origin = setting('E2E_URL');
  const own = ['/', '/leaderboard', '/portfolio', '/projects/tidepool-swap'];
  const frames = own.map((path, i) => `<iframe id="own-${i}" src="${origin}${path}"></iframe>`);
  const site = await startOtherSite([...snippets, ...frames].join('\n'));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes("frame-ancestors 'none'")) refused.push(message.text());
    });
    await page.goto(site.url);
    const badge = page.getByRole('img', { name: `${name} on Snapswipe` });
    await expect.poll(() => isDrawn(badge)).toBe(true);
    const card = page.frameLocator(`iframe[title="${name} on Snapswipe"]`);
    await expectVisibleToPerson(card.getByRole('heading', { name }));
    await expect(card.getByText(/likely \d+–\d+%/)).toBeVisible();
    await expect
      .poll(() => card.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth > 0))
      .toBe(true);
    await expect(card.getByRole('button')).toHaveCount(0);
    await expect.poll(() => refused.length, { message: 'frames that the browser refuses' }).toBe(own.length);
    for (let i = 0; i < own.length; i += 1)
      await expect(page.frameLocator(`#own-${i}`).getByRole('banner')).toHaveCount(0);
    const opened = context.waitForEvent('page');
    await card.getByRole('link').click();
    const project = await opened;
    await expect(project).toHaveURL(`${origin}/projects/tidepool-swap?from=embed`);
    await expect(project.getByRole('heading', { name, level: 1 })).toBeVisible();
  } finally {
    await context.close();
    await site.stop();
  }
}

test('insights show the week, and another site shows badge and card while our own pages stay out of frames [R50 R52]', async ({
  page,
  browser,
}) => {
  await page.goto('/projects/tidepool-swap');
  await expectScreenAlive(page, 'Tidepool Swap');
  await signIn(page, { admin: true });
  await press(page.getByRole('link', { name: 'Insights' }));
  await expectScreenAlive(page, 'Insights');
  await expectWeek(page);
  await press(page.getByRole('region', { name: 'Show it on your own site' }).getByText('Dark', { exact: true }));
  const copied = (name: string) => page.getByRole('textbox', { name, exact: true }).inputValue();
  const snippets = [await copied('HTML'), await copied('HTML of the card')];
  for (const snippet of snippets) expect(snippet).toContain('theme=dark');
  await expectVisibleToPerson(page.getByRole('button', { name: 'Copy HTML' }));
  await expectShownElsewhere(browser, snippets, 'Tidepool Swap');
});
