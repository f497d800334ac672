import type { Page } from '@playwright/test';
import { type listProjects, listWalletProjects } from '#shared/contract/projects.ts';
import type { ResponseOf } from '#shared/endpoint.ts';
import { deckOf, expect, grantTokens, live, test, topCard } from './fixtures.ts';
import { reject, respond, SHOWN } from './made-up.ts';

const BLOCKED =
  /Failed to (load|fetch)|ERR_(FAILED|INTERNET_DISCONNECTED)|A part of the page crashed|Unable to preload/;

/** A journey with failing chunks complains of these and of nothing else. */
function expectOnlyBlocked(consoleErrors: string[]): void {
  expect(consoleErrors.filter((text) => !BLOCKED.test(text) && !/ApiError/.test(text))).toEqual([]);
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

const toastOf = (page: Page) => page.getByRole('region', { name: /Notification/ }).getByRole('listitem');
const standBy = (page: Page) => page.waitForResponse((response) => /\/assets\/stand-by-.*\.js$/.test(response.url()));

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
  await expect(toastOf(page).getByText('Vote Failed')).toBeVisible();
  expectOnlyBlocked(consoleErrors);
});

test('a toast whose code cannot be fetched still says its words, and the next one tries again [S9.14]', async ({
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
  await expect(toastOf(page).getByText('Elite plan has been successfully activated.')).toBeVisible();
  expect(loads()).toBe(1);
  expectOnlyBlocked(consoleErrors);
});

test('an account menu that cannot be fetched takes down nothing else; a press on the address tries again [S2.10]', async ({
  page,
  newUser,
  consoleErrors,
}) => {
  await newUser();
  await page.route('**/assets/account-menu-*.js', (route) => route.abort());
  await page.goto('/');
  await expect(topCard(page)).toBeVisible();
  const address = page.getByRole('banner').getByRole('button', { name: /^0x/ });
  // A retry that is still to be sent when the way is open again would bring the menu, for the second press to open.
  const failedAgain = page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/account-menu-'));
  await address.click();
  await failedAgain;
  await expect(topCard(page)).toBeVisible();
  await page.unroute('**/assets/account-menu-*.js');
  await address.click();
  await expect(page.getByRole('banner').getByRole('button', { name: /^0x/, expanded: false })).toBeVisible();
  await address.click();
  await expect(page.getByRole('menuitem', { name: 'Disconnect Wallet' })).toBeVisible();
  expectOnlyBlocked(consoleErrors);
});

test('example projects and withdrawal form fail in their own corner, and come with a second try [S1.2 S2.27]', async ({
  page,
  newUser,
  database,
  consoleErrors,
}) => {
  await page.route(/\/assets\/(example-projects|withdraw-dialog)-.*\.js$/, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByRole('alert').getByText('The example projects could not be loaded.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Swipe. Vote. Earn.' })).toBeVisible();

  const user = await newUser();
  await grantTokens(database, user.id, 500);
  await page.goto('/portfolio');
  await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'The withdrawal form could not be loaded.' });
  await expect(alert).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Total Tokens' })).toBeVisible();
  await page.unroute(/\/assets\/(example-projects|withdraw-dialog)-.*\.js$/);
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expectOnlyBlocked(consoleErrors);
});

test('offline, a page whose code is missing shows an error and does not reload; back online it loads without a press [S8.1]', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/leaderboard');
  await live(page);
  const loads = countLoads(page);
  await page.context().setOffline(true);
  // By keyboard: more rows move the footer away from under a pointer.
  await page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }).press('Enter');
  const alert = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
  await expect(alert.getByText('The server cannot be reached. Check your connection and try again.')).toBeVisible();
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
  await live(page);
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

/** Reloads as chunks.ts does, with its event for drafts.ts; resolves when that code runs again. */
async function reloadByItself(page: Page): Promise<void> {
  const ready = standBy(page);
  await page.evaluate(() => {
    dispatchEvent(new Event('snapswipe:reload'));
    location.reload();
  });
  await ready;
}

test('changes to a project wait for their dialog, and never go into that of another project [S2.32]', async ({
  page,
  newUser,
}) => {
  await newUser();
  await page.route('**/api/projects/wallet/*', async (route) => {
    const projects = (await (await page.request.get('/api/projects')).json()) as ResponseOf<typeof listProjects>;
    const own = projects.slice(0, 2).map((project) => ({ ...project, ...SHOWN }));
    await respond(route, listWalletProjects, own);
  });
  const ready = standBy(page);
  await page.goto('/portfolio');
  await ready;
  const opener = page.getByRole('button', { name: /^Update/ });
  const dialog = page.getByRole('dialog', { name: 'Update Project' });
  const link = dialog.getByRole('textbox', { name: /^Launchpad/ });
  await opener.first().click();
  await link.fill('https://www.tradeport.xyz/sui/collection/deep');
  await reloadByItself(page);
  await opener.nth(1).click();
  await expect(link).not.toHaveValue('https://www.tradeport.xyz/sui/collection/deep');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await opener.first().click();
  await expect(link).toHaveValue('https://www.tradeport.xyz/sui/collection/deep');
});
