import type { Locator } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { plantListing } from './listing.ts';

const PROJECT = '/projects/tidepool-swap';

/** Whether a color, '#rrggbb', takes a two-thousandth of a chart's canvas, which rounds it a little. */
const drawsIn = (chart: Locator, color: string): Promise<boolean> =>
  chart.locator('canvas').evaluate((element, wanted) => {
    const canvas = element as HTMLCanvasElement;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const parts = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16));
    let found = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if ((pixels[i + 3] ?? 0) >= 253 && parts.every((part, k) => Math.abs(part - (pixels[i + k] ?? 0)) <= 2))
        found += 1;
    return found * 8_000 > pixels.length;
  }, color);

/** The colors of the two themes (web/styles/tokens.css) in which charts draw shares and counts. */
const SHARES = { dark: '#3ddc9b', light: '#067647' } as const;
const COUNTS = { dark: '#43c6ff', light: '#0069b8' } as const;

test('the votes over time are drawn in both themes, and can be read by pointer, by keys, and as a table [R44]', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(PROJECT);
  const trend = page.getByRole('region', { name: 'Over time' });
  await trend.scrollIntoViewIfNeeded();
  const [share, votes] = [trend.getByRole('figure').first(), trend.getByRole('figure').last()];
  await expect.poll(() => drawsIn(share, SHARES.dark)).toBe(true);
  await expect.poll(() => drawsIn(votes, COUNTS.dark)).toBe(true);
  await expectAccessible(page);
  await share.locator('[data-chart]').hover({ position: { x: 200, y: 90 } });
  await expect(share.locator('[data-tooltip]')).toContainText(/ 20\d\d\d+% bullish of \d+ votes?likely \d+–\d+%/);
  await page.mouse.move(0, 0);
  await expect(share.locator('[data-tooltip]')).toHaveCount(0);

  const slider = votes.getByRole('slider', { name: 'Votes and changes by day: choose a day with the arrow keys' });
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveValue('0');
  const first = (await slider.getAttribute('aria-valuetext')) ?? '';
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveValue('1');
  const second = (await slider.getAttribute('aria-valuetext')) ?? '';
  expect(second).not.toBe(first);
  await expect(votes.locator('[data-tooltip] p').first()).toHaveText(second.split(', ')[0] ?? '');

  await votes.getByText(/^Show the (last )?\d+ days? as a table$/).click();
  await expect(votes.getByRole('row').nth(1)).toHaveText(/^\d{1,2} \w+ \d{7,}$/);
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await expect.poll(() => drawsIn(share, SHARES.light)).toBe(true);
  await expect.poll(() => drawsIn(votes, COUNTS.light)).toBe(true);
  expect(await drawsIn(votes, COUNTS.dark)).toBe(false);
  await expectAccessible(page);
});

/** Sizes of a phone, with the picture from edge to edge, and of a laptop. */
const SIZES = [
  [320, 568],
  [390, 664],
  [1366, 657],
] as const;

test('the share comes first, on a phone below a picture of its width, and the vote buttons are on the first screen [S2.33 R44 R98]', async ({
  page,
  database,
}) => {
  const empty = await plantListing(database);
  const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { x: -1, y: Number.NaN, width: 0, height: 0 };
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const [path, share] of [
      [PROJECT, page.locator('[itemprop="share"] .display')],
      [`/projects/${empty.slug}`, page.getByText('No votes yetBe the first: +10 Snaps')],
    ] as const) {
      await page.goto(path);
      const button = page.getByRole('button', { name: 'Bullish' });
      const below = [
        button,
        page.getByRole('link', { name: 'Twitter' }),
        page.getByRole('button', { name: 'Report' }).first(),
        page.locator('[data-listing]'),
      ];
      const [top = Number.NaN, ...rest] = await Promise.all(
        [share, ...below].map(async (part) => (await boxOf(part)).y),
      );
      expect(top).toBeLessThanOrEqual(400);
      expect(Math.min(...rest)).toBe(rest[0]);
      expect(rest[0]).toBeGreaterThan(top);
      const [pressed, picture] = [await boxOf(button), await boxOf(page.getByRole('img', { name: /^Picture of / }))];
      expect(pressed.y + pressed.height).toBeLessThanOrEqual(height);
      if (width < 768) expect([picture.x, picture.width]).toEqual([0, width]);
      else expect(picture.width).toBeGreaterThanOrEqual(400);
    }
    await page.getByRole('heading', { name: /^Reviews/ }).evaluate((heading) => heading.scrollIntoView());
    const button = expect(page.getByRole('button', { name: 'Bullish' }));
    await (width < 768 ? button : button.not).toBeInViewport({ ratio: 1 });
  }
});

test("on a phone a voter's reasons stand whole in one line, below the whole evidence [R44 R89]", async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.setViewportSize({ width: 390, height: 664 });
  await page.goto(PROJECT);
  const panel = page.getByRole('region', { name: 'Your vote' });
  await panel.getByRole('button', { name: 'Bullish' }).click();
  await panel.getByRole('button', { name: 'Show result' }).click();
  const chips = panel.getByRole('group', { name: /^Why\?/ }).getByRole('button');
  await expect(chips).toHaveCount(5);
  for (const chip of await chips.all()) await expect(chip).toBeInViewport({ ratio: 1 });
  const [evidence, vote] = await Promise.all(
    [page.locator('[data-evidence]').first(), panel].map((part) => part.boundingBox()),
  );
  expect((evidence?.y ?? NaN) + (evidence?.height ?? NaN)).toBeLessThanOrEqual(vote?.y ?? NaN);
});

test("pressing a line of the leaderboard grows its picture into the page's, as wide as a phone [R98]", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 664 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    document.startViewTransition = (draw) => {
      const transition = start(draw);
      const of = '::view-transition-group(picture)';
      const keep = () => (document.body.dataset.grown = getComputedStyle(document.documentElement, of).width);
      void transition.ready.then(keep);
      return transition;
    };
  });
  await expect(async () => {
    await page.goto('/leaderboard');
    const link = page.getByRole('main').getByRole('listitem').first().getByRole('link').first();
    await link.focus();
    await page.waitForLoadState('networkidle');
    await link.click();
    const picture = page.getByRole('img', { name: /^Picture of / });
    await expect(picture).toBeVisible();
    // It begins as wide as the pressed one.
    await expect(page.locator('body')).toHaveAttribute('data-grown', /^[12]?\d\d(\.\d+)?px$/, { timeout: 2_000 });
    await expect.poll(() => picture.boundingBox()).toMatchObject({ x: 0, width: 390 });
    await expect(page.getByRole('button', { name: 'Bullish' })).toBeInViewport({ ratio: 1 });
  }).toPass();
});
