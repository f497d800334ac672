import type { Page } from '@playwright/test';
import { expect, test, topCard } from './fixtures.ts';
import { stopTime } from './still-time.ts';

const POLLS = [
  [/^\/api\/users\/\d+\/stats$/, 5_000],
  [/^\/api\/users\/\d+\/voting-status$/, 5_000],
  [/^\/api\/projects\/\d+\/reviews$/, 10_000],
  [/^\/api\/leaderboard$/, 30_000],
  [/^\/api\/projects\/leaderboard\/all$/, 30_000],
] as const;
const TICK_MS = 5_000;
const SPAN_MS = 30_000;

function countResponses(page: Page): () => number[] {
  const counts = POLLS.map(() => 0);
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    const found = POLLS.findIndex(([path]) => path.test(pathname));
    if (found >= 0) counts[found] = (counts[found] ?? 0) + 1;
  });
  return () => [...counts];
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isHidden ? 'hidden' : 'visible'),
    });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, hidden);
}

test('each poll asks as often as it should, and none in a hidden tab [S9.4 S7.10 S7.11]', async ({ page, newUser }) => {
  await newUser();
  await page.clock.install();
  const counts = countResponses(page);
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
  await expect.poll(() => Math.min(...counts())).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  await stopTime(page, 3_600_000);
  const before = counts();
  const since = (): number[] => counts().map((count, i) => count - (before[i] ?? 0));
  for (let tick = 1; tick <= SPAN_MS / TICK_MS; tick += 1) {
    await page.clock.runFor(TICK_MS);
    // The fastest two have their responses before the time advances, because a pending poll is not repeated.
    await expect.poll(() => Math.min(...since().slice(0, 2))).toBe(tick);
  }
  await expect.poll(since).toEqual(POLLS.map(([, everyMs]) => SPAN_MS / everyMs));

  await setHidden(page, true);
  const hiddenAt = counts();
  await page.clock.runFor(120_000);
  await page.evaluate(() => fetch('/api/config'));
  expect(counts()).toEqual(hiddenAt);

  await setHidden(page, false);
  await page.clock.runFor(SPAN_MS);
  await expect.poll(() => counts().every((count, i) => count > (hiddenAt[i] ?? 0))).toBe(true);
});
