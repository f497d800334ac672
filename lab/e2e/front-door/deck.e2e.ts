/** From each way in to votes and back. */
import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { expectDeckAlive, expectOnTop, namesOf, projectSeen, swipe, voteAsPerson } from './deck.ts';
import { chooseInMenu, deckOf, expect, logo, press, signIn, test, topCard } from './door.ts';
import { expectScreenAlive, expectVisibleToPerson } from './see.ts';

const LONG_LOOK_MS = 5_500;
const SHORT_LOOK_MS = 800;

interface WayIn {
  name: string;
  path: string;
  heading: string;
  opener: (page: Page) => Locator;
  toDeck: (page: Page) => Promise<void>;
  back: (page: Page) => Promise<unknown>;
}

const inMain = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name }).first();

const WAYS_IN: readonly WayIn[] = [
  {
    name: 'the landing page',
    path: '/',
    heading: 'Swipe. Vote. Earn.',
    opener: (page) => inMain(page, 'Connect Wallet'),
    toDeck: async () => undefined,
    back: (page) => page.goBack(),
  },
  {
    name: 'the leaderboard',
    path: '/leaderboard',
    heading: 'Project Leaderboard',
    opener: (page) => page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }),
    toDeck: (page) => press(logo(page)),
    back: (page) => press(logo(page)),
  },
  {
    name: 'a shared project link',
    path: '/projects/tidepool-swap',
    heading: 'Tidepool Swap',
    opener: (page) => inMain(page, 'Connect Wallet to Post Reviews'),
    toDeck: (page) => press(page.getByRole('link', { name: 'Back to Voting' })),
    back: (page) => press(page.getByRole('link', { name: 'Back to Voting' })),
  },
];

async function comeIn(page: Page, way: WayIn, lookMs: number): Promise<string> {
  await page.goto(way.path);
  await expectScreenAlive(page, way.heading);
  const wallet = await signIn(page, { opener: way.opener(page) });
  await way.toDeck(page);
  await expect(deckOf(page)).toBeVisible();
  await expectDeckAlive(page, lookMs);
  return wallet;
}

async function lookAndComeBack(page: Page, database: pg.Pool, way: WayIn): Promise<void> {
  const project = await projectSeen(page);
  await press(topCard(page).getByRole('link', { name: /, details$/ }));
  await expect(page).toHaveURL(/\/projects\//);
  const title = page.getByRole('heading', { level: 1 });
  // The name of its card, unless another journey has just renamed it.
  await expect
    .poll(async () => {
      const name = await title.innerText();
      return (await namesOf(database, project.id)).includes(name);
    })
    .toBe(true);
  await expectScreenAlive(page, await title.innerText());
  await way.back(page);
  await expectDeckAlive(page, SHORT_LOOK_MS);
  await expectOnTop(page, project);
}

/** The deck shows the result and asks nothing; the project's page asks why. */
async function sayWhy(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: 'Show result' }));
  const result = deckOf(page).getByText(/others? voted like you|First vote on this project/);
  await expect(result.last()).toBeVisible();
  const why = page.getByRole('group', { name: /^Why\?/ });
  await expect(why).toHaveCount(0);
  for (const name of ['Bearish', 'Skip', 'Bullish'])
    await expectVisibleToPerson(deckOf(page).getByRole('button', { name, exact: true }));
  await chooseInMenu(page, 'Portfolio');
  const votes = page.getByRole('region', { name: 'Recent Voting History' });
  await press(votes.getByRole('listitem').first().getByRole('link').first());
  const chip = why.getByRole('button', { name: 'Token' });
  await press(chip);
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
}

for (const way of WAYS_IN)
  test(`in by ${way.name}, the deck keeps still, stores the votes that were seen, and shows the same card after a look at its project [S1.1 S1.3 S4.4]`, async ({
    page,
    database,
    isMobile,
  }) => {
    // One look outlasts the hero, from where the hero is; the others see that the deck is whole at once.
    const isLong = way.path === '/';
    if (isMobile && way.path === '/leaderboard') await page.setViewportSize({ width: 320, height: 640 });
    const wallet = await comeIn(page, way, isLong ? LONG_LOOK_MS : SHORT_LOOK_MS);
    const vote = voteAsPerson.bind(null, page, database, wallet);
    await vote({ direction: 'bullish', by: 'swipe', seesReward: isLong });
    await lookAndComeBack(page, database, way);
    await vote({ direction: 'bearish', by: 'button' });
    if (!isLong) return;
    await swipe(page, 90);
    await expectDeckAlive(page, SHORT_LOOK_MS);
    await vote({ direction: 'bullish', by: 'button' });
    await vote({ direction: 'bearish', by: 'swipe' });
    await sayWhy(page);
  });
