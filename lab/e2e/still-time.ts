/** Stopped time without pending calls: the next step of a journey is the next event. */
import { expect, type Page, type Request } from '@playwright/test';

interface Calls {
  open: Set<Request>;
  sent: number;
}

const callsOf = new WeakMap<Page, Calls>();

export function watchCalls(page: Page): void {
  const calls: Calls = { open: new Set(), sent: 0 };
  callsOf.set(page, calls);
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) return;
    calls.open.add(request);
    calls.sent += 1;
  });
  page.on('requestfinished', (request) => calls.open.delete(request));
  page.on('requestfailed', (request) => calls.open.delete(request));
}

async function waitForCalls(page: Page): Promise<void> {
  const calls = callsOf.get(page);
  if (!calls) throw new Error('The calls of this page are not watched');
  let before: number;
  do {
    before = calls.sent;
    // Sent after the page's own: these have been counted when it has its response.
    await page.evaluate(() => fetch('/api/config').then((response) => response.text()));
    await expect.poll(() => calls.open.size).toBe(0);
  } while (calls.sent > before + 1);
}

/**
 * Stops the time of a page whose clock is installed, `aheadMs` from its own now, which an earlier stop may have left ahead of ours. The
 * jump sets off every poll: they are over then, and the next one comes when the journey moves the time.
 */
export async function stopTime(page: Page, aheadMs = 60_000): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(nowMs + aheadMs);
  await waitForCalls(page);
}
