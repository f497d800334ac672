import type { Locator, Page } from '@playwright/test';
import { RELEASE_CACHE_PREFIX } from '#shared/site/offline.ts';
import { uniqueText } from '../unique.ts';
import { expectDeckAlive } from './deck.ts';
import { chooseInMenu, expect, expectToast, press, signIn, test as base } from './door.ts';
import { type ReleasedServer, startRelease } from './release.ts';
import { expectScreenAlive } from './see.ts';

const LOOK_MS = 500;

/** Lines that an open tab logs about a server that is being replaced, and about files that are gone. */
const WHILE_UPGRADING = [
  /net::ERR_CONNECTION_REFUSED|net::ERR_CONNECTION_RESET|net::ERR_EMPTY_RESPONSE/,
  /status of 404 \(Not Found\) \S*\/assets\//,
  // The same for a stylesheet whose preload was pending.
  /Refused to apply style from '\S*\/assets\//,
  /Failed to (load module script|fetch dynamically imported module)/,
];

const test = base.extend<{ server: ReleasedServer }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  server: async ({}, use) => {
    const server = await startRelease();
    await use(server);
    await server.stop();
  },
  baseURL: async ({ server }, use) => use(server.url),
});

const entryOf = (page: Page): Locator => page.locator('script[type="module"][src]').first();

const storedReleases = (page: Page): Promise<string[]> =>
  page.evaluate(
    async (prefix) => (await caches.keys()).filter((name) => name.startsWith(prefix)),
    RELEASE_CACHE_PREFIX,
  );

async function leave(page: Page): Promise<void> {
  const inspector = await page.context().newCDPSession(page);
  const statuses = new Map<string, string>();
  inspector.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
    for (const { versionId, status } of versions) statuses.set(versionId, status);
  });
  await inspector.send('ServiceWorker.enable');
  await page.goto('about:blank');
  await expect.poll(() => [...statuses.values()].filter((status) => status !== 'redundant')).toEqual(['activated']);
  await inspector.detach();
}

test('a tab that is open across an upgrade continues with its own release, without a reload or a loss of typed text; the next visit has the new release, with and without a network', async ({
  page,
  context,
  server,
  allowed,
  loads,
}) => {
  allowed.push(/net::ERR_INTERNET_DISCONNECTED/);
  await page.goto('/');
  const oldEntry = (await entryOf(page).getAttribute('src')) ?? '';
  await signIn(page);
  await expectDeckAlive(page, LOOK_MS);
  await press(page.getByRole('banner').getByRole('link', { name: 'Submit Project' }));
  await expectScreenAlive(page, 'Submit Your Project');
  await page.getByRole('textbox', { name: 'Project Name' }).fill('Driftwood Harbor');
  await page.evaluate(() => navigator.serviceWorker.ready);
  const [firstRelease] = await storedReleases(page);

  await server.upgrade();

  // Code that this tab has never asked for: its release still has it.
  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }));
  await expectScreenAlive(page, 'Snaps supply');
  await press(page.getByRole('banner').getByRole('link', { name: 'Submit Project' }));
  await expectScreenAlive(page, 'Submit Your Project');
  await expect(page.getByRole('textbox', { name: 'Project Name' })).toHaveValue('Driftwood Harbor');
  await expect(entryOf(page)).toHaveAttribute('src', oldEntry);

  // Each connection that the browser has kept gets one more response of the process before; there are six at most.
  for (let visit = 1; visit <= 7 && (await entryOf(page).getAttribute('src')) === oldEntry; visit += 1) {
    loads.expected += 1;
    await page.reload();
    await expectScreenAlive(page, 'Submit Your Project');
  }
  await expect(entryOf(page)).not.toHaveAttribute('src', oldEntry);
  // The worker of the new release stores it, and leaves that of other tabs.
  await expect.poll(() => storedReleases(page)).toEqual([firstRelease, expect.any(String)]);
  await leave(page);
  await context.setOffline(true);
  loads.expected += 1;
  await page.goto('/submit-project');
  await expect(entryOf(page)).not.toHaveAttribute('src', oldEntry);
  await expect(page.getByRole('banner')).toBeVisible();
  await context.setOffline(false);
});

test('a tab whose files are gone after many upgrades continues: a toast, a screen of the new release, and the typed text stays [S8.1]', async ({
  page,
  server,
  allowed,
  loads,
}) => {
  allowed.push(...WHILE_UPGRADING);
  await page.goto('/');
  await signIn(page);
  await expectDeckAlive(page, LOOK_MS);
  await press(page.getByRole('banner').getByRole('link', { name: 'Submit Project' }));
  await expectScreenAlive(page, 'Submit Your Project');
  await page.getByRole('textbox', { name: 'Project Name' }).fill('Driftwood Harbor');
  await chooseInMenu(page, 'Profile');
  await expectScreenAlive(page, /Profile/);
  const username = `tab_${uniqueText()}`;
  await page.getByRole('textbox', { name: 'Username' }).fill(username);

  await server.restart();

  // The first toast of this tab: its code must not be asked of the new release.
  await press(page.getByRole('button', { name: 'Save Profile' }));
  await expectToast(page, 'Profile updated!');
  await expectScreenAlive(page, /Profile/);
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(username);

  // A screen whose code is gone: one reload shows it.
  loads.expected = 2;
  await press(page.getByRole('contentinfo').getByRole('link', { name: 'Snaps supply' }));
  await expectScreenAlive(page, 'Snaps supply');
  await press(page.getByRole('banner').getByRole('link', { name: 'Submit Project' }));
  await expectScreenAlive(page, 'Submit Your Project');
  await expect(page.getByRole('textbox', { name: 'Project Name' })).toHaveValue('Driftwood Harbor');
});

test('a visitor whose files are gone after many upgrades keeps what was typed and can still connect [S2.10]', async ({
  page,
  server,
  allowed,
  loads,
}) => {
  allowed.push(...WHILE_UPGRADING);
  await page.goto('/submit-project');
  await expectScreenAlive(page, 'Submit Your Project');
  await page.getByRole('textbox', { name: 'Project Name' }).fill('Driftwood Harbor');
  await page.getByRole('textbox', { name: 'Description' }).fill('Berths for tokens that have seen a storm or two.');
  const oldEntry = (await entryOf(page).getAttribute('src')) ?? '';

  await server.restart();

  loads.expected = 2;
  const opener = page.getByRole('main').getByRole('button', { name: 'Connect Wallet' });
  await press(opener);
  // The wallet's code is gone: the tab is loaded again, once.
  await expect(entryOf(page)).not.toHaveAttribute('src', oldEntry);
  await expectScreenAlive(page, 'Submit Your Project');
  await signIn(page, { opener });
  await expectScreenAlive(page, 'Submit Your Project');
  await expect(page.getByRole('textbox', { name: 'Project Name' })).toHaveValue('Driftwood Harbor');
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue(
    'Berths for tokens that have seen a storm or two.',
  );
});
