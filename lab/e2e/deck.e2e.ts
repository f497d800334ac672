import type { Locator } from '@playwright/test';
import { deckOf, expect, test, topCard } from './fixtures.ts';
import { waitForAnimations } from './accessibility.ts';
import { expectFits } from './fit.ts';
import { stopTime } from './still-time.ts';

for (const [width, height] of [
  [1366, 657],
  [1280, 600],
  [844, 390],
] as const) {
  test(`the card, the vote buttons, Undo and the result are inside a screen of ${width}×${height} [R46 R59]`, async ({
    page,
    newUser,
  }) => {
    await page.setViewportSize({ width, height });
    await newUser();
    await page.clock.install();
    await page.goto('/');
    await expect(topCard(page)).toBeVisible();
    const inside = async (what: Locator) => {
      await waitForAnimations(page);
      const box = (await what.boundingBox()) ?? { x: NaN, y: NaN, width: NaN, height: NaN };
      expect(box.y, String(what)).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height, String(what)).toBeLessThanOrEqual(height);
      expect(box.height, String(what)).toBeGreaterThan(30);
      return box;
    };
    await inside(topCard(page));
    const bullish = deckOf(page).getByRole('button', { name: 'Bullish', exact: true });
    // The time for an undo would pass.
    await stopTime(page);
    await bullish.click();
    const pill = page.locator('[data-vote-pill]');
    await expect(async () => {
      await page.clock.runFor(20);
      await expect(pill).toBeVisible({ timeout: 500 });
    }).toPass();
    const undo = await inside(pill.getByRole('button', { name: /^Undo your vote/ }));
    await page.clock.resume();
    await pill.getByRole('button', { name: 'Show result' }).click();
    await expect(pill).toHaveText(/others? voted like you|First vote on this project/);
    await inside(bullish);
    await inside(deckOf(page).getByRole('button', { name: 'Bearish', exact: true }));
    const result = await inside(pill);
    // Layout places them at fractions of a pixel.
    expect(Math.round(result.y), 'the result stands where Undo stood').toBeLessThanOrEqual(Math.round(undo.y));
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectFits(page, `${width}×${height}`);
  });
}

const LATENCY_MS = 2_000;

/** How long the button of the undo is seen, by the page's own clock, from here on. */
function timeUndo(): Promise<number> {
  let sinceMs = 0;
  return new Promise((resolve) => {
    const look = () => {
      const isSeen = document.querySelector('[data-vote-pill] [aria-keyshortcuts="Z"]') !== null;
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
  const pill = page.locator('[data-vote-pill]');
  const first = await topCard(page).getAttribute('aria-label');
  const shownMs = page.evaluate(timeUndo);
  await page.keyboard.press('ArrowRight');
  await expect(pill).toContainText(`Bullish on ${first}`);
  await expect(pill).toContainText(/others? voted like you|First vote on this project/, { timeout: 20_000 });
  // A busy machine draws the button late.
  expect(await shownMs).toBeGreaterThan(4_500);

  const second = await topCard(page).getAttribute('aria-label');
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/votes'));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('z');
  await expect(pill.getByRole('button', { name: `Undoing your vote on ${second}` })).toBeVisible();
  await answer;
  await expect(topCard(page)).toHaveAttribute('aria-label', second ?? '', { timeout: 20_000 });
  await expect(pill).toHaveCount(0);
  const { totalVotes } = (await (await page.request.get(`/api/users/${id}/stats`)).json()) as { totalVotes: number };
  expect(totalVotes).toBe(1);
});
