/** Takes the pictures of one browser, one after the other, each in both themes. */
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import pg from 'pg';
import { waitForAnimations } from '../front-door/see.ts';

export interface Shot {
  name: string;
  /** Where to go first; without it the picture is taken where the browser is. */
  path?: string;
  /** Runs before the picture is taken. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Runs after it, so that the next one starts clean. */
  after?: (page: Page) => Promise<unknown>;
  /** Only the visible part, not the whole page. */
  viewportOnly?: boolean;
  /** Must not wait for a quiet network: a call is blocked on purpose. */
  isLoading?: boolean;
}

export type Device = 'desktop' | 'phone';

/** The database: pictures need lists that would take days to fill by clicking. */
export const test = base.extend<{ database: pg.Pool }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  baseURL: async ({}, use) => use(process.env.E2E_URL),
  // eslint-disable-next-line no-empty-pattern -- as above
  database: async ({}, use) => {
    const pool = new pg.Pool({ connectionString: process.env.E2E_DATABASE_URL, max: 2 });
    await use(pool);
    await pool.end();
  },
});

async function photograph(page: Page, device: Device, { name, viewportOnly = false }: Shot): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((theme) => {
      document.documentElement.dataset['theme'] = theme;
      // Until the change has begun its transitions.
      return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }, theme);
    await waitForAnimations(page);
    await page.screenshot({ path: `shots/${name}-${device}-${theme}.png`, fullPage: !viewportOnly });
  }
}

async function takeOne(page: Page, device: Device, shot: Shot): Promise<void> {
  if (shot.path !== undefined) {
    await page.goto(shot.path);
    await expect(page.getByRole('main')).toBeVisible();
    if (!shot.isLoading) await page.waitForLoadState('networkidle');
  }
  await shot.prepare?.(page);
  await photograph(page, device, shot);
  await shot.after?.(page);
}

/** All pictures, also when one of them cannot be taken; those that could not are named at the end. */
export async function takeAll(page: Page, device: Device, shots: readonly Shot[]): Promise<void> {
  page.setDefaultTimeout(8000);
  const defects: string[] = [];
  for (const shot of shots) {
    await base
      .step(shot.name, () => takeOne(page, device, shot))
      .catch(async (error: unknown) => {
        defects.push(
          `${shot.name}: ${error instanceof Error ? error.message.split('\n', 4).join(' ') : String(error)}`,
        );
        await page.screenshot({ path: `shots/FAILED-${shot.name}-${device}.png` });
      });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  expect(defects, 'pictures that could not be taken').toEqual([]);
}

/** Responses of the server that clicking cannot produce: empty, a failure, or none yet. */
export const madeUp = {
  with: (page: Page | BrowserContext, pattern: string, json: unknown) =>
    page.route(pattern, (route) => route.fulfill({ json })),
  failure: (page: Page | BrowserContext, pattern: string) =>
    page.route(pattern, (route) =>
      route.fulfill({ status: 503, json: { error: 'unavailable', message: 'The database does not respond' } }),
    ),
  never: (page: Page | BrowserContext, pattern: string) => page.route(pattern, () => undefined),
};
