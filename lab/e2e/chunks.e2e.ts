import type { Page } from '@playwright/test';
import { deckOf, expect, test, toastOf, topCard } from './fixtures.ts';
import { reject } from './made-up.ts';

const BLOCKED =
  /Failed to (load|fetch)|ERR_(FAILED|INTERNET_DISCONNECTED)|A part of the page crashed|Unable to preload/;

function expectOnlyBlocked(consoleErrors: string[]): void {
  expect(consoleErrors.filter((text) => !BLOCKED.test(text) && !/The server is away/.test(text))).toEqual([]);
  consoleErrors.length = 0;
}

const gone = (page: Page, chunk: string) =>
  page.route(`**/assets/${chunk}-*.js`, (route) => route.fulfill({ status: 404, body: '' }));

async function upgrade(page: Page, chunk: string): Promise<void> {
  await gone(page, chunk);
  await page.route('/', async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replaceAll('/assets/index-', '/assets/index-next-'),
    });
  });
}

function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('domcontentloaded', () => {
    loads += 1;
  });
  return () => loads;
}

test('the code of toasts loads before the first one: a failed vote shows where no code can be fetched [S8.3 S9.14]', async ({
  page,
  newUser,
  consoleErrors,
}) => {
  await newUser();
  const code = page.waitForResponse((response) => /\/assets\/toast-viewport-.*\.js$/.test(response.url()));
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
  await (await code).finished();
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.route('**/api/votes', (route) =>
    reject(route, 503, { error: 'vote_failed', message: 'The vote could not be counted.' }),
  );
  await deckOf(page).getByRole('button', { name: 'Bullish', exact: true }).click();
  await expect(toastOf(page).getByRole('listitem').getByText('Vote Failed')).toBeVisible();
  expectOnlyBlocked(consoleErrors);
});

test('a toast whose code cannot be fetched still says its words, and so does the next one [S9.14]', async ({
  page,
  newUser,
  consoleErrors,
}) => {
  await newUser();
  await page.route('**/assets/toast-viewport-*.js', (route) => route.abort());
  const loads = countLoads(page);
  await page.goto('/subscription');
  const buy = (plan: string) => page.getByRole('region', { name: plan }).getByRole('button', { name: 'Jetzt kaufen' });
  await buy('Basic').click();
  await expect(page.getByRole('alert').getByText('Basic plan has been successfully activated.')).toBeVisible();
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute('**/assets/toast-viewport-*.js');
  await buy('Elite').click();
  // Drawn as planned, or in plain words where the browser keeps the failure of the code.
  const words = 'Elite plan has been successfully activated.';
  const planned = toastOf(page).getByRole('listitem').getByText(words);
  await expect(planned.or(page.getByRole('alert').getByText(words))).toBeVisible();
  expect(loads()).toBe(1);
  expectOnlyBlocked(consoleErrors);
});

test('offline, a page whose code is missing shows an error and does not reload; back online it loads without a press [S8.1]', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/leaderboard');
  const loads = countLoads(page);
  await page.context().setOffline(true);
  // By keyboard: more rows move the footer away from under a pointer.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }).press('Enter');
  const alert = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
  await expect(alert.getByText('The server is away. Try again.')).toBeVisible();
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert.getByRole('button', { name: 'Try again' })).toBeEnabled();
  await expect(page.getByRole('banner')).toBeVisible();
  expect(loads()).toBe(0);
  await page.context().setOffline(false);
  await expect(page.getByRole('heading', { name: 'Snaps supply', level: 1 })).toBeVisible();
  expectOnlyBlocked(consoleErrors);
});

test('after an upgrade, a page whose chunk is gone reloads once and shows; hovering its link reloads nothing', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/leaderboard');
  const loads = countLoads(page);
  await upgrade(page, 'supply-page');
  const missed = page.waitForResponse((response) => /supply-page/.test(response.url()));
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' });
  await link.hover();
  await missed;
  await expect(page.getByRole('heading', { name: 'Project Leaderboard' })).toBeVisible();
  expect(loads()).toBe(0);

  // The chunk stays away, as on a server that is half upgraded: one reload, then the page shows the error.
  await link.press('Enter');
  await expect(page.getByRole('alert').getByText('This page could not be shown')).toBeVisible();
  expect(loads()).toBe(1);
  await expect(page).toHaveURL('/supply');
  await page.unroute('**/assets/supply-page-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Snaps supply', level: 1 })).toBeVisible();
  expect(loads()).toBe(2);
  expectOnlyBlocked(consoleErrors);
});
