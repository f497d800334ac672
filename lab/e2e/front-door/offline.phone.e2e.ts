import type { ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../accessibility.ts';
import { passUnchanged, startOtherWay } from '../slow-html.ts';
import { type Card, expectDeckAlive, projectSeen, storedVotes, voteButton, voteOn } from './deck.ts';
import { deckOf, expect, press, signIn, test } from './door.ts';
import { expectVisibleToPerson, waitForAnimations } from './see.ts';

const LOOK_MS = 300;
const NO_NETWORK = /net::ERR_INTERNET_DISCONNECTED/;

const retry = (page: Page) => deckOf(page).getByRole('button', { name: 'Retry' });

/** The card is back, with the reason and Retry, and nothing says that the vote counts. */
async function loseVote(page: Page): Promise<Card> {
  await waitForAnimations(page);
  const project = await projectSeen(page);
  await press(voteButton(page, 'Bullish'));
  await expectVisibleToPerson(retry(page));
  await expectVisibleToPerson(deckOf(page).getByText('Your bullish vote is not confirmed.'));
  await waitForAnimations(page);
  expect((await projectSeen(page)).id).toBe(project.id);
  return project;
}

/** Presses Retry until the server is reached again. */
async function retryVote(page: Page): Promise<void> {
  await press(retry(page));
  await expect(retry(page)).toHaveCount(0);
}

/** Chromium 150 does not tell a page that is loaded offline that it is: pages of people hear it from the system. */
async function setNetwork(page: Page, offline: boolean): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const anySpeed = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.overrideNetworkState', { offline, ...anySpeed });
}

const notice = (page: Page) => page.getByRole('main').locator('[data-offline-notice]');

test('without a network a vote comes back as its card, Retry counts it once, and a reload says why nothing shows [R99]', async ({
  page,
  context,
  database,
  allowed,
  loads,
}) => {
  allowed.push(NO_NETWORK, /net::ERR_FAILED/);
  await page.goto('/');
  const wallet = await signIn(page);
  await expectDeckAlive(page, LOOK_MS);
  await page.evaluate(() => navigator.serviceWorker.ready);

  await context.setOffline(true);
  await expectVisibleToPerson(notice(page).getByText('The server is away'));
  const voted = await loseVote(page);
  await expectAccessible(page);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await storedVotes(database, wallet)).toEqual([]);

  await context.setOffline(false);
  await retryVote(page);
  await expectVisibleToPerson(page.getByRole('banner').getByRole('link', { name: '10 Snaps', exact: true }));
  expect(await storedVotes(database, wallet)).toEqual([voteOn(voted, 'bullish')]);
  await expect(notice(page)).toHaveCount(0);

  await context.setOffline(true);
  loads.expected = 2;
  await page.reload();
  await setNetwork(page, true);
  await expectVisibleToPerson(notice(page).getByText('The server is away'));
  await expectVisibleToPerson(deckOf(page).getByText('The server is away. Try again.'));

  await context.setOffline(false);
  await setNetwork(page, false);
  await expectDeckAlive(page, LOOK_MS);
  await expect(notice(page)).toHaveCount(0);
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

const underTheWay = test.extend<{ obstacle: { is: keyof typeof OBSTACLES | 'lost answer' | null } }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are wanted from this very pattern
  obstacle: async ({}, use) => use({ is: null }),
  baseURL: async ({ obstacle }, use) => {
    const way = await startOtherWay(
      (response) => {
        if (obstacle.is === null || obstacle.is === 'lost answer') return false;
        OBSTACLES[obstacle.is](response);
        return true;
      },
      async (from, response) => {
        if (obstacle.is === 'lost answer') response.destroy();
        else await passUnchanged(from, response);
      },
    );
    await use(way.url);
    await way.stop();
  },
});

underTheWay(
  'behind a portal a vote comes back, a proxy without the site and silence show the stored page and why, and a vote whose answer was lost counts once [R99]',
  async ({ page, database, allowed, loads, obstacle }) => {
    allowed.push(/status of (?:409|502)/, /net::ERR_|MIME type|Failed to load resource/);
    await page.goto('/');
    const wallet = await signIn(page);
    await expectDeckAlive(page, LOOK_MS);
    await page.evaluate(() => navigator.serviceWorker.ready);

    obstacle.is = 'portal';
    await loseVote(page);
    expect(await storedVotes(database, wallet)).toEqual([]);
    for (const obstruction of ['proxy without the site', 'silence'] as const) {
      obstacle.is = obstruction;
      loads.expected += 1;
      await page.reload();
      await expectVisibleToPerson(notice(page).getByText('The server is away'));
    }

    obstacle.is = null;
    loads.expected += 1;
    await page.reload();
    await expectDeckAlive(page, LOOK_MS);
    obstacle.is = 'lost answer';
    const voted = await loseVote(page);
    expect(await storedVotes(database, wallet)).toEqual([voteOn(voted, 'bullish')]);
    obstacle.is = null;
    await retryVote(page);
    await expectVisibleToPerson(page.getByRole('listitem').getByText('1 vote counted'));
    expect(await storedVotes(database, wallet)).toEqual([voteOn(voted, 'bullish')]);
    expect((await projectSeen(page)).id).not.toBe(voted.id);
  },
);
