import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** axe finds nothing on the page as it is, in either theme; nothing reaches over the right edge. */
export async function expectAccessible(page: Page): Promise<void> {
  // What moves or fades in has other colours on its way.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map((violation) => `${theme}: ${violation.id} ${violation.nodes.map((node) => node.html).join(' ')}`),
    ).toEqual([]);
  }
  const overflowPx = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(overflowPx).toBeLessThanOrEqual(0);
}
