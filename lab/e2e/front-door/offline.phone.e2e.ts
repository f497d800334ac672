import type { ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { PICTURE_CACHE } from '#shared/offline.ts';
import { expectAccessible } from '../accessibility.ts';
import { startOtherWay } from '../slow-html.ts';
import { type Card, expectDeckAlive, expectGone, projectSeen, storedVotes, voteButton, voteOn } from './deck.ts';
import { chooseInMenu, deckOf, expect, press, signIn, test, topCard } from './door.ts';
import { expectVisibleToPerson, waitForAnimations } from './see.ts';

const LOOK_MS = 300;
const NO_NETWORK = /net::ERR_INTERNET_DISCONNECTED/;
/**
 * The page has its network back a moment before its worker: a voter's picture that nothing stored fails in between, and their initial is
 * drawn. Cards have wider pictures.
 */
const WORKER_STILL_OFFLINE = /net::ERR_FAILED \S*\/images\/\w+-96\.webp$/;

async function expectStored(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = () =>
    page.evaluate(async (name) => {
      const stored = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
      const decks = Object.keys(localStorage).filter((key) => key.startsWith('snapswipe_deck:'));
      const { cards } = JSON.parse(localStorage.getItem(decks[0] ?? '') ?? '{"cards":[]}') as {
        cards: { imageUrl: string }[];
      };
      const isStored = (url: string) => stored.some((path) => path.startsWith(url.replace('.webp', '')));
      return decks.length === 1 && cards.length > 0 && cards.every(({ imageUrl }) => isStored(imageUrl));
    }, PICTURE_CACHE);
  await expect.poll(kept, { message: 'deck and pictures are stored' }).toBe(true);
}

async function voteOffline(page: Page, direction: 'Bullish' | 'Bearish'): Promise<Card> {
  await waitForAnimations(page);
  const project = await projectSeen(page);
  await press(voteButton(page, direction));
  await expectGone(page, project);
  return project;
}

/** Chromium 150 does not tell a page that is loaded offline that it is: pages of people hear it from the system. */
async function setNetwork(page: Page, offline: boolean): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const anySpeed = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.overrideNetworkState', { offline, ...anySpeed });
}

const notice = (page: Page) => page.getByRole('main').locator('[data-offline-notice]');

test('without a network the last deck is dealt after a reload, votes wait over another, and each counts once', async ({
  page,
  context,
  database,
  allowed,
  loads,
}) => {
  allowed.push(NO_NETWORK, WORKER_STILL_OFFLINE);
  await page.goto('/');
  const wallet = await signIn(page);
  await expectDeckAlive(page, LOOK_MS);
  await expectStored(page);

  await context.setOffline(true);
  loads.expected = 2;
  await page.reload();
  await setNetwork(page, true);
  await expectVisibleToPerson(notice(page).getByText('You are offline'));
  await expectDeckAlive(page, LOOK_MS);
  const picture = topCard(page).locator('img').first();
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  const first = await voteOffline(page, 'Bullish');
  await expectVisibleToPerson(notice(page).getByText('1 vote waiting to send'));
  const second = await voteOffline(page, 'Bearish');
  await voteOffline(page, 'Bearish');
  await press(notice(page).getByRole('button', { name: 'Undo' }));
  await expectVisibleToPerson(notice(page).getByText('2 votes waiting to send'));
  await expectAccessible(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });

  loads.expected = 3;
  await page.reload();
  await setNetwork(page, true);
  await expectDeckAlive(page, LOOK_MS);
  await expectVisibleToPerson(notice(page).getByText('2 votes waiting to send'));
  expect([first.id, second.id]).not.toContain((await projectSeen(page)).id);
  expect(await storedVotes(database, wallet)).toEqual([]);

  await context.setOffline(false);
  await setNetwork(page, false);
  await expect(notice(page)).toHaveCount(0);
  await expectVisibleToPerson(page.getByRole('listitem').getByText('2 votes counted'));
  expect(await storedVotes(database, wallet)).toEqual([voteOn(first, 'bullish'), voteOn(second, 'bearish')]);
  await expectVisibleToPerson(page.getByRole('banner').getByRole('link', { name: '20 Snaps', exact: true }));
  await expectDeckAlive(page, LOOK_MS);

  await chooseInMenu(page, 'Disconnect Wallet');
  await expect(deckOf(page)).toHaveCount(0);
  await expect
    .poll(() =>
      page.evaluate(
        async (name) => [
          ...Object.keys(localStorage).filter((key) => /snapswipe_(deck|vote):/.test(key)),
          ...(await caches.keys()).filter((cache) => cache === name),
        ],
        PICTURE_CACHE,
      ),
    )
    .toEqual([]);
});

/** Proxies between a phone and the site. */
const OBSTACLES = {
  portal: (response: ServerResponse) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Sign in to the network</title>');
  },
  'proxy without the site': (response: ServerResponse) => {
    response.statusCode = 502;
    response.end('<h1>502 Bad Gateway</h1>');
  },
  silence: () => undefined,
};

const underTheWay = test.extend<{ obstacle: { is: keyof typeof OBSTACLES | null } }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  obstacle: async ({}, use) => use({ is: null }),
  baseURL: async ({ obstacle }, use) => {
    const way = await startOtherWay((response) => {
      if (obstacle.is) OBSTACLES[obstacle.is](response);
      return obstacle.is !== null;
    });
    await use(way.url);
    await way.stop();
  },
});

underTheWay(
  'behind a portal a vote waits, a proxy without the site and silence show the stored page and why, and the vote counts later [R99]',
  async ({ page, database, allowed, loads, obstacle }) => {
    allowed.push(/status of 502/, /net::ERR_|MIME type|Failed to load resource/);
    await page.goto('/');
    const wallet = await signIn(page);
    await expectDeckAlive(page, LOOK_MS);
    await expectStored(page);

    obstacle.is = 'portal';
    const voted = await voteOffline(page, 'Bullish');
    await expectVisibleToPerson(notice(page).getByText('1 vote waiting to send'));

    for (const obstruction of ['proxy without the site', 'silence'] as const) {
      obstacle.is = obstruction;
      loads.expected += 1;
      await page.reload();
      await expectVisibleToPerson(notice(page).getByText('The server is away'));
      expect((await projectSeen(page)).id).not.toBe(voted.id);
    }

    obstacle.is = null;
    await press(notice(page).getByRole('button', { name: 'Send now' }));
    await expectVisibleToPerson(page.getByRole('listitem').getByText('1 vote counted'));
    expect(await storedVotes(database, wallet)).toEqual([voteOn(voted, 'bullish')]);
  },
);
