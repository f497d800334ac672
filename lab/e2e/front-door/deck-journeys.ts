/** From each way in to votes and back: the same journeys for every device and theme. */
import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { deckOf, expectDeckAlive, expectOnTop, namesOf, projectSeen, swipe, topCard, voteAsPerson } from './deck.ts';
import { expect, logo, press, signIn, test } from './door.ts';
import { expectScreenAlive } from './see.ts';

/** Longer than the hero plays: 4.8 s. */
const LONG_LOOK_MS = 5_500;
const SHORT_LOOK_MS = 800;

export interface WayIn {
  name: string;
  path: string;
  heading: string;
  opener: (page: Page) => Locator;
  toDeck: (page: Page) => Promise<void>;
  back: (page: Page) => Promise<unknown>;
}

const inMain = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name }).first();

export const WAYS_IN = {
  landing: {
    name: 'the landing page',
    path: '/',
    heading: 'Swipe. Vote. Earn.',
    opener: (page) => inMain(page, 'Connect Wallet'),
    toDeck: async () => undefined,
    back: (page) => page.goBack(),
  },
  leaderboard: {
    name: 'the leaderboard',
    path: '/leaderboard',
    heading: 'Project Leaderboard',
    opener: (page) => page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }),
    toDeck: (page) => press(logo(page)),
    back: (page) => press(logo(page)),
  },
  project: {
    name: 'a shared project link',
    path: '/projects/tidepool-swap',
    heading: 'Tidepool Swap',
    opener: (page) => inMain(page, 'Connect Wallet to Post Reviews'),
    toDeck: (page) => press(page.getByRole('link', { name: 'Back to Voting' })),
    back: (page) => press(page.getByRole('link', { name: 'Back to Voting' })),
  },
} as const satisfies Record<string, WayIn>;

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

interface Journey {
  way: WayIn;
  theme: 'light' | 'dark';
  /** Only where the device's own size is not meant. */
  size?: { width: number; height: number };
}

/** One look outlasts the hero, from where the hero is; the others see that the deck is whole at once. */
const isLongLook = ({ way, size }: Journey): boolean => way === WAYS_IN.landing && size === undefined;

export function deckJourney(journey: Journey): void {
  const { way, theme, size } = journey;
  const isLong = isLongLook(journey);
  const where = size ? `${size.width} px, ${theme}` : theme;
  test.describe(() => {
    test.use({ colorScheme: theme, ...(size ? { viewport: size } : {}) });
    test(`in by ${way.name} (${where}): the deck keeps still, follows the finger, and stores the votes that were seen [S1.3 S2.12 S4.4]`, async ({
      page,
      database,
    }) => {
      const wallet = await comeIn(page, way, isLong ? LONG_LOOK_MS : SHORT_LOOK_MS);
      const vote = voteAsPerson.bind(null, page, database, wallet);
      await swipe(page, 90);
      await expectDeckAlive(page, SHORT_LOOK_MS);
      await vote({ direction: 'bullish', by: 'swipe', seesReward: isLong });
      await vote({ direction: 'bearish', by: 'button' });
      await lookAndComeBack(page, database, way);
      await vote({ direction: 'bullish', by: 'button' });
      await vote({ direction: 'bearish', by: 'swipe' });
    });
  });
}
