import type { Page } from '@playwright/test';
import { waitForAnimations } from './accessibility.ts';
import { deckOf, expect, test, topCard } from './fixtures.ts';
import { expectFits } from './fit.ts';
import { stopTime } from './still-time.ts';

/** The last number is the least height of a card's picture. */
const SCREENS: ReadonlyArray<readonly [width: number, height: number, leastPicturePx: number]> = [
  [320, 568, 180],
  [360, 640, 180],
  [390, 664, 180],
  [844, 390, 150],
  [1280, 593, 180],
  [1366, 657, 180],
  [1280, 720, 180],
  [1440, 900, 300],
  [1920, 1080, 500],
];

function readDeck() {
  const card = document.querySelector('[data-depth="0"]');
  const region = card?.closest('section');
  const boxOf = (element: Element | null | undefined) => element?.getBoundingClientRect() ?? new DOMRect(NaN);
  const controls = [
    ...(region?.querySelectorAll(':scope > [dir] button, [data-reveal], [data-landed], [data-reveal] button') ?? []),
  ].filter((control) => control.checkVisibility({ visibilityProperty: true }));
  const boxes = [card, ...controls].map(boxOf);
  const isInside = ({ left, right, top, bottom }: DOMRect) =>
    left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  // Skip sits on the rim of the card, which has no words.
  const rimPx = 11;
  const overlaps = (a: DOMRect, b: DOMRect) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - rimPx && b.top < a.bottom - rimPx;
  const [top = new DOMRect(NaN), ...others] = boxes;
  const isHit = (element: Element) => {
    const { left, top: y, width, height } = boxOf(element);
    return element.contains(document.elementFromPoint(left + width / 2, y + height / 2));
  };
  return {
    picturePx: boxOf(card?.querySelector('img, [role=img]')).height,
    outside: boxes.filter((box) => !isInside(box)).length,
    covered: controls.filter((control) => control.matches('button') && !isHit(control)).map((one) => one.textContent),
    overlapping: others.filter((other) => overlaps(top, other)).length,
    scrolledPx: scrollY,
  };
}

/** Where the two colours meet, as a share of the width; NaN where they do not. */
function readMeeting(landed: Element): number {
  const [bearish, bullish] = Array.from(landed.querySelectorAll('[data-fill]'), (fill) => fill.getBoundingClientRect());
  if (!bearish || !bullish || Math.abs(bearish.right - bullish.left) > 1) return NaN;
  return bearish.width / (bearish.width + bullish.width);
}

async function expectPictureAndControls(page: Page, what: string): Promise<void> {
  for (const [width, height, leastPicturePx] of SCREENS) {
    await page.setViewportSize({ width, height });
    const where = `${what}, ${width}×${height}`;
    const { picturePx, ...rest } = await page.evaluate(readDeck);
    expect.soft(picturePx, `height of the picture: ${where}`).toBeGreaterThanOrEqual(leastPicturePx);
    expect.soft(rest, where).toEqual({ outside: 0, covered: [], overlapping: 0, scrolledPx: 0 });
    await expectFits(page, where);
  }
}

test("a user's card shows its picture, with all controls, Undo and the result inside any screen [R46 R59]", async ({
  page,
  newUser,
  database,
}) => {
  await newUser();
  const { rows } = await database.query<{ slug: string; name: string }>('SELECT slug, name FROM projects LIMIT 1');
  const [{ slug, name }] = rows as [(typeof rows)[0]];
  await page.clock.install();
  await page.goto(`/?card=${slug}`);
  await expect(topCard(page)).toHaveAccessibleName(name);
  await expectPictureAndControls(page, 'deck');
  // The time for an undo would pass.
  await stopTime(page);
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  const landed = page.locator('[data-reveal]');
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(landed.getByRole('button', { name: /^Undo your vote/ })).toBeVisible({ timeout: 500 });
  }).toPass();
  // The voted card flies over the deck before it lands.
  await waitForAnimations(page);
  await expectPictureAndControls(page, 'after a vote');
  await page.clock.resume();
  await landed.getByRole('button', { name: 'Show result' }).click();
  await expect(landed).toHaveText(/others? voted like you|First vote on this project/);
  await waitForAnimations(page);
  await expectPictureAndControls(page, 'with the result');
  const shares = await database.query<{ bearish: number }>(
    'SELECT bearish::float / (bullish + bearish) AS bearish FROM project_stats JOIN projects p ON p.id = project_id WHERE slug = $1',
    [slug],
  );
  expect(await landed.evaluate(readMeeting)).toBeCloseTo(shares.rows[0]?.bearish ?? NaN, 2);
});

const LATENCY_MS = 2_000;

/** How long the button of the undo is seen, by the page's own clock, from here on. */
function timeUndo(): Promise<number> {
  let sinceMs = 0;
  return new Promise((resolve) => {
    const look = () => {
      const isSeen = document.querySelector('[data-reveal] [aria-keyshortcuts="Z"]') !== null;
      if (isSeen) sinceMs ||= performance.now();
      if (sinceMs > 0 && !isSeen) resolve(performance.now() - sinceMs);
      else requestAnimationFrame(look);
    };
    look();
  });
}

test('with two seconds of latency an undo is offered for five seconds, and Z before the answer takes the vote back [R46 R59]', async ({
  page,
  newUser,
}) => {
  const { id } = await newUser();
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
  await page.route('**/api/votes**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));
    await route.continue();
  });
  const landed = page.locator('[data-reveal]');
  const first = await topCard(page).getAttribute('aria-label');
  const shownMs = page.evaluate(timeUndo);
  await page.keyboard.press('ArrowRight');
  await expect(landed).toContainText(`Bullish on ${first}`);
  await expect(landed).toContainText(/others? voted like you|First vote on this project/, { timeout: 20_000 });
  // A busy machine draws the button late.
  expect(await shownMs).toBeGreaterThan(4_500);

  const second = await topCard(page).getAttribute('aria-label');
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/votes'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('z');
  await expect(landed.getByRole('button', { name: `Undoing your vote on ${second}` })).toBeVisible();
  await answer;
  await expect(topCard(page)).toHaveAttribute('aria-label', second ?? '', { timeout: 20_000 });
  await expect(landed).toHaveCount(0);
  const { totalVotes } = (await (await page.request.get(`/api/users/${id}/stats`)).json()) as { totalVotes: number };
  expect(totalVotes).toBe(1);
});
