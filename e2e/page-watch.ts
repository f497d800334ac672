/** What every journey does beside its own steps: which console lines are expected, and a screenshot where it fails. */
import type { Page, TestInfo } from '@playwright/test';

/** Signing in begins with this response (R1); the browser logs every 401. */
export const SIGN_IN_401 = /status of 401 \(Unauthorized\) \S*\/api\/auth\/wallet$/;
/** A rejected wallet connection is logged (S8.22). */
export const WALLET_REJECTED = /^Failed to connect wallet/;

/**
 * An automatic fixture that takes a picture where a journey fails. Playwright's own setting takes one of every journey before
 * its page closes, and throws most of them away.
 */
export const pictureOfFailure: [
  ({ page }: { page: Page }, use: () => Promise<void>, info: TestInfo) => Promise<void>,
  { auto: true },
] = [
  async ({ page }, use, info) => {
    await use();
    if (info.status === info.expectedStatus || page.isClosed()) return;
    await page.screenshot({ path: info.outputPath('failed.png'), timeout: 10_000 }).catch(() => undefined);
  },
  { auto: true },
];
