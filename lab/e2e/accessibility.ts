import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The hero's cards and the shimmer while content loads: both move for some seconds, and users do not press them. */
export const DECORATION = '[data-paused], .shimmer';

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Content that fades in or grows has other colors and sizes for a moment: waits until nothing moves except decoration and placeholders. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(
    (decoration) =>
      document
        .getAnimations()
        .every(
          ({ playState, effect }) =>
            playState !== 'running' ||
            effect?.getComputedTiming().iterations === Infinity ||
            (effect instanceof KeyframeEffect && effect.target?.closest(decoration)),
        ),
    DECORATION,
  );
}

/** Lets axe see what the browser skips far from the screen, too: it would read colors there that are not up to date. */
async function skipNothing(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { content-visibility: visible !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await skipNothing(page);
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    await waitForAnimations(page);
    // Without frames of others there is nothing to put together on a page of its own ("legacy mode" leaves that out).
    const axe = new AxeBuilder({ page }).setLegacyMode();
    if (theme === 'light') axe.withRules(COLOUR_RULES);
    const { violations } = await axe.analyze();
    expect(
      violations.map((violation) => `${theme}: ${violation.id} ${violation.nodes.map((node) => node.html).join(' ')}`),
    ).toEqual([]);
  }
  await page.evaluate(() => void (document.adoptedStyleSheets = []));
  const overflowPx = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflowPx).toBeLessThanOrEqual(0);
}
