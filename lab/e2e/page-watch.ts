/** Shared by all journeys: the expected console lines, and the files that are kept after a failure. */
import type { ConsoleMessage, Page, Request, TestInfo } from '@playwright/test';

/** Signing in begins with this response (R1); the browser logs every 401. */
export const SIGN_IN_401 = /status of 401 \(Unauthorized\) \S*\/api\/auth\/wallet$/;
/** A rejected wallet connection is logged (S8.22). */
export const WALLET_REJECTED = /^Failed to connect wallet/;

/** The server's HTML did not fit the page's code (web/app/main.tsx): a mistake, unless something else has changed the page. */
export const isDrawnAgain = (message: ConsoleMessage): boolean => message.text().startsWith('Drawn again');
export const isErrorLine = (message: ConsoleMessage): boolean => message.type() === 'error' || isDrawnAgain(message);

const SLOW_MS = 2_000;

function watchRequests(page: Page): () => Promise<string> {
  const startedAt = new Map<Request, number>();
  const lines: string[] = [];
  const note = (request: Request, end: string) => {
    const ms = Date.now() - (startedAt.get(request) ?? Date.now());
    startedAt.delete(request);
    if (ms > SLOW_MS) lines.push(`${request.method()} ${request.url()}: ${end} after ${ms} ms`);
  };
  page.on('request', (request) => startedAt.set(request, Date.now()));
  page.on('requestfinished', (request) => note(request, 'finished'));
  page.on('requestfailed', (request) => note(request, `failed (${request.failure()?.errorText})`));
  return async () => {
    for (const request of startedAt.keys()) note(request, 'open');
    const place = () =>
      `${location.href} at ${scrollY} px of ${document.body.scrollHeight}: ${JSON.stringify(history.state)}`;
    return [await page.evaluate(place).catch(String), ...lines].join('\n');
  };
}

/**
 * An automatic fixture that takes a picture where a journey fails, and prints the state of the page and what it waited for. Playwright's
 * own setting takes a picture of every journey before its page closes, and throws most of them away.
 */
export const pictureOfFailure: [
  ({ page }: { page: Page }, use: () => Promise<void>, info: TestInfo) => Promise<void>,
  { auto: true },
] = [
  async ({ page }, use, info) => {
    const describePage = watchRequests(page);
    await use();
    if (info.status === info.expectedStatus || page.isClosed()) return;
    console.log(await describePage());
    await page.screenshot({ path: info.outputPath('failed.png'), timeout: 10_000 }).catch(() => undefined);
  },
  { auto: true },
];
