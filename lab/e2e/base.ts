/** Shared by all journeys: the stack's address and database, a silent console, and the files that are kept after a failure. */
import {
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type Request,
  test as playwright,
} from '@playwright/test';
import pg from 'pg';
import { setting } from './setting.ts';

export { expect } from '@playwright/test';

/** Signing in begins with this response (R1); the browser logs every 401. */
export const SIGN_IN_401 = /status of 401 \(Unauthorized\) \S*\/api\/auth\/wallet$/;

/** The server's HTML did not fit the page's code (web/app/main.tsx): a mistake, unless something else has changed the page. */
const isDrawnAgain = (message: ConsoleMessage): boolean => message.text().startsWith('Drawn again');

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

export interface Base {
  database: pg.Pool;
  allowed: RegExp[];
  /** Console errors and exceptions of the page; a journey ends with none but the allowed ones. */
  consoleErrors: string[];
  /** The browser translates every page, from its first words on (R81). */
  isTranslated: boolean;
  pictureOfFailure: void;
}

export const test = playwright.extend<Base>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  baseURL: async ({}, use) => use(setting('E2E_URL')),

  // eslint-disable-next-line no-empty-pattern -- as above
  database: async ({}, use) => {
    const pool = new pg.Pool({ connectionString: setting('E2E_DATABASE_URL'), max: 2 });
    await use(pool);
    await pool.end();
  },

  // eslint-disable-next-line no-empty-pattern -- as above
  allowed: async ({}, use) => use([SIGN_IN_401]),
  isTranslated: [false, { option: true }],

  consoleErrors: [
    async ({ page, allowed, isTranslated }, use) => {
      const consoleErrors: string[] = [];
      page.on('pageerror', (error) => consoleErrors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' || (isDrawnAgain(message) && !isTranslated))
          consoleErrors.push(`${message.text()} ${message.location().url}`);
      });
      await use(consoleErrors);
      // A poll may be in a journey's route when the journey ends.
      if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().unrouteAll({ behavior: 'ignoreErrors' });
      const unexpected = consoleErrors.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(unexpected, 'errors in the console').toEqual([]);
    },
    { auto: true },
  ],

  // Playwright's own setting takes a picture of every journey before its page closes, and throws most of them away.
  pictureOfFailure: [
    async ({ page }, use, info) => {
      const describePage = watchRequests(page);
      await use();
      if (info.status === info.expectedStatus || page.isClosed()) return;
      console.log(await describePage());
      await page.screenshot({ path: info.outputPath('failed.png'), timeout: 10_000 }).catch(() => undefined);
    },
    { auto: true },
  ],
});

export const deckOf = (page: Page): Locator => page.getByRole('region', { name: 'Project cards' });
export const topCard = (page: Page): Locator => deckOf(page).locator('[data-depth="0"]');
export const toastOf = (page: Page): Locator => page.getByRole('region', { name: /Notification/, includeHidden: true });

export async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Password').fill('snapswipe-e2e');
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible();
}
