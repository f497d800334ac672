import type { Locator } from '@playwright/test';
import { deckOf, expect, test, topCard } from './fixtures.ts';
import { waitForAnimations } from './accessibility.ts';
import { expectFits } from './fit.ts';

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
    await bullish.click();
    const pill = page.locator('[data-vote-pill]');
    const undo = await inside(pill.getByRole('button', { name: /^Undo your vote/ }));
    await inside(bullish);
    await inside(deckOf(page).getByRole('button', { name: 'Bearish', exact: true }));
    await pill.getByRole('button', { name: 'Show result' }).click();
    await expect(pill).toHaveText(/others? voted like you|First vote on this project/);
    const result = await inside(pill);
    // Layout places them at fractions of a pixel.
    expect(Math.round(result.y), 'the result stands where Undo stood').toBeLessThanOrEqual(Math.round(undo.y));
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expectFits(page, `${width}×${height}`);
  });
}
