import type { Page } from '@playwright/test';
import type pg from 'pg';
import { deckOf, topCard, voteButton } from '../front-door/deck.ts';
import type { DailyDeck } from '#shared/contract/daily-deck.ts';
import type { Project } from '#shared/contract/types.ts';
import { accountButton, logo } from '../front-door/door.ts';
import { fillListing } from '../front-door/screens-journeys.ts';
import { madeUp, type Shot } from './album.ts';

const toast = (page: Page) => page.getByRole('region', { name: /Notification/ }).getByRole('listitem');

/** Holds the card under the mouse, `distancePx` from where it was. */
async function dragCard(page: Page, distancePx: number): Promise<void> {
  const box = await topCard(page).boundingBox();
  if (!box) throw new Error('no card to hold');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 5; step += 1) await page.mouse.move(x + (distancePx * step) / 5, y);
}

async function letGo(page: Page): Promise<void> {
  const box = await topCard(page).boundingBox();
  await page.mouse.move(page.viewportSize()?.width ? (page.viewportSize()?.width ?? 0) / 2 : (box?.x ?? 0), 300);
  await page.mouse.up();
}

/** A day of ten cards: the first one waits for another vote, or all are voted on. */
function dailyOf(project: Project | undefined, { isVoted }: { isVoted: boolean }): DailyDeck {
  const vote = { voteType: 'bullish', withMajority: true, bullishCount: 37, bearishCount: 6 } as const;
  const cards = Array.from({ length: 10 }, (_, at) => ({
    projectId: at === 0 && project ? project.id : 900_000 + at,
    kind: 'feed' as const,
    name: `Project ${at}`,
    project: at === 0 && project ? project : null,
    asksAbout: null,
    vote: isVoted || at > 6 ? { ...vote, withMajority: at % 3 > 0 } : null,
  }));
  const earlierVotes = project ? [{ projectId: project.id, voteType: 'bearish' as const }] : [];
  return { day: new Date().toISOString().slice(0, 10), cards, streak: 4, votesReturnAt: null, earlierVotes };
}

function deckShots(database: pg.Pool, userId: number): Shot[] {
  const setStats = (assignments: string) =>
    database.query(`UPDATE user_stats SET ${assignments} WHERE user_id = $1`, [userId]);
  return [
    { name: 'home', path: '/' },
    { name: 'deck', path: '/', viewportOnly: true },
    { name: 'deck-dragged-right', viewportOnly: true, prepare: (page) => dragCard(page, 90), after: letGo },
    { name: 'deck-dragged-left', viewportOnly: true, prepare: (page) => dragCard(page, -90), after: letGo },
    {
      name: 'deck-reward',
      path: '/',
      viewportOnly: true,
      prepare: async (page) => {
        await voteButton(page, 'Bullish').click();
        await page.getByText('+10 TOKENS', { exact: true }).waitFor();
        // In the middle of its two seconds, and held there: it would be gone with the second picture.
        await page.evaluate(() => {
          for (const animation of document.getAnimations()) {
            if (!(animation instanceof CSSAnimation) || !animation.animationName.includes('reward')) continue;
            animation.pause();
            animation.currentTime = 600;
          }
        });
      },
    },
    {
      name: 'deck-after-vote',
      path: '/',
      viewportOnly: true,
      prepare: async (page) => {
        await voteButton(page, 'Bullish').click();
        await deckOf(page).getByRole('button', { name: 'Show result' }).click();
        await deckOf(page)
          .getByText(/voted like you/)
          .waitFor();
      },
    },
    {
      name: 'deck-undo-failed',
      path: '/',
      viewportOnly: true,
      prepare: async (page) => {
        await madeUp.failure(page, '**/api/votes/*');
        await voteButton(page, 'Bullish').click();
        await deckOf(page).getByRole('button', { name: /^Undo/ }).click();
        await toast(page).waitFor();
      },
    },
    {
      name: 'deck-still-bullish',
      path: '/profile',
      viewportOnly: true,
      prepare: async (page) => {
        const [project] = (await (await page.request.get(`/api/projects?userId=${userId}`)).json()) as Project[];
        await madeUp.with(page, '**/api/users/*/daily-deck', dailyOf(project, { isVoted: false }));
        await logo(page).click();
        await deckOf(page).getByText('Still bullish?').waitFor();
      },
    },
    {
      name: 'deck-summary',
      path: '/profile',
      viewportOnly: true,
      prepare: async (page) => {
        await madeUp.with(page, '**/api/users/*/daily-deck', dailyOf(undefined, { isVoted: true }));
        await logo(page).click();
        await deckOf(page).getByText("Today's deck is done").waitFor();
      },
    },
    {
      name: 'deck-vote-failed',
      path: '/',
      viewportOnly: true,
      prepare: async (page) => {
        await madeUp.failure(page, '**/api/votes');
        await voteButton(page, 'Bearish').click();
        await toast(page).waitFor();
      },
    },
    // From another screen by clicking: opened by its address, the deck comes with its first cards.
    {
      name: 'deck-loading',
      path: '/profile',
      viewportOnly: true,
      isLoading: true,
      prepare: async (page) => {
        await madeUp.never(page, '**/api/projects?userId=*');
        await logo(page).click();
        await page.getByText('Loading projects...').waitFor();
      },
    },
    {
      name: 'deck-all-rated',
      path: '/profile',
      prepare: async (page) => {
        await madeUp.with(page, '**/api/projects?userId=*', []);
        await logo(page).click();
        await page.getByText('All projects rated!').waitFor();
      },
    },
    {
      name: 'deck-failed',
      path: '/profile',
      prepare: async (page) => {
        for (const read of [
          'projects?userId=*',
          'projects/leaderboard/all?limit=3',
          'leaderboard?*',
          'users/*/voting-status',
          'users/*/stats',
        ])
          await madeUp.failure(page, `**/api/${read}`);
        await logo(page).click();
        await page.getByText('Failed to fetch projects').waitFor();
      },
    },
    {
      name: 'deck-limit-reached',
      prepare: async (page) => {
        await setStats("window_votes = 25, window_started_at = now() - interval '2 hours'");
        await page.goto('/');
        await deckOf(page).getByText('Rate limit reached').waitFor();
      },
      after: () => setStats('window_votes = 0, window_started_at = NULL'),
    },
    {
      name: 'deck-congratulation',
      viewportOnly: true,
      prepare: async (page) => {
        await setStats('tokens_earned = 990');
        await page.goto('/');
        await voteButton(page, 'Bullish').click();
        await page.getByRole('dialog').filter({ hasText: '1000' }).waitFor();
      },
    },
  ];
}

const SUBMIT: Shot[] = [
  { name: 'submit', path: '/submit-project' },
  {
    name: 'submit-validation-errors',
    path: '/submit-project',
    prepare: async (page) => {
      await page.getByRole('button', { name: /Submit Project$/ }).click();
      await toast(page).waitFor();
    },
  },
  { name: 'submit-filled', path: '/submit-project', prepare: (page) => fillListing(page, 'Driftwood Harbor') },
  {
    name: 'submit-asking-the-wallet',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: /Submit Project$/ }).click();
      const connect = page.getByRole('dialog', { name: 'Connect to Snapswipe?' });
      const sign = page.getByRole('dialog', { name: 'Sign this transaction?' });
      await connect.or(sign).waitFor();
      if (await connect.isVisible()) await connect.getByRole('button', { name: 'Approve' }).click();
      await sign.waitFor();
    },
  },
  {
    name: 'submit-declined',
    viewportOnly: true,
    prepare: async (page) => {
      await page
        .getByRole('dialog', { name: 'Sign this transaction?' })
        .getByRole('button', { name: 'Reject' })
        .click();
      await toast(page).waitFor();
    },
  },
  {
    name: 'submit-celebrated',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: /Submit Project$/ }).click();
      await page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Sign' }).click();
      await page.getByRole('dialog', { name: 'Your project is live!' }).waitFor();
    },
  },
];

/** Screens of a new user. */
export function newcomerShots(database: pg.Pool, userId: number): Shot[] {
  return [
    ...deckShots(database, userId),
    {
      name: 'account-menu',
      path: '/leaderboard',
      viewportOnly: true,
      prepare: async (page) => {
        await accountButton(page).click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'notifications-empty',
      path: '/leaderboard',
      viewportOnly: true,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Notifications' }).click();
        await page.getByText('No notifications yet.').waitFor();
      },
    },
    { name: 'project', path: '/projects/1' },
    {
      name: 'project-voted',
      viewportOnly: true,
      path: '/projects/2',
      prepare: async (page) => {
        const panel = page.getByRole('region', { name: 'Your vote' });
        await panel.getByRole('button', { name: 'Bullish' }).click();
        await panel.getByRole('button', { name: 'Show result' }).click();
        await panel.getByText(/voted like you/).waitFor();
      },
    },
    {
      name: 'project-no-reviews',
      prepare: async (page) => {
        await madeUp.with(page, '**/api/projects/*/reviews*', []);
        await page.goto('/leaderboard');
        await page.getByRole('main').getByRole('listitem').nth(1).getByRole('link').first().click();
        await page.getByText(/No reviews yet/).waitFor();
      },
    },
    { name: 'profile', path: '/profile' },
    {
      name: 'profile-validation-errors',
      path: '/profile',
      prepare: async (page) => {
        await page.getByRole('textbox', { name: 'Username' }).fill('a b');
        await page.getByRole('textbox', { name: 'Twitter/X link' }).fill('example.com/me');
        await page.getByRole('button', { name: 'Save Profile' }).click();
      },
    },
    { name: 'portfolio-empty', path: '/portfolio' },
    {
      name: 'portfolio-check-failed',
      prepare: async (page) => {
        await madeUp.failure(page, '**/api/record');
        await page.getByRole('button', { name: 'Check my votes' }).click();
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'portfolio-failed',
      prepare: async (page) => {
        for (const read of ['users/*/**', 'projects/wallet/*', 'withdrawals*', 'payments*'])
          await madeUp.failure(page, `**/api/${read}`);
        await page.goto('/portfolio');
        await page.getByRole('alert').first().waitFor();
      },
    },
    ...SUBMIT,
    { name: 'subscription', path: '/subscription' },
    {
      name: 'subscription-bought',
      viewportOnly: true,
      prepare: async (page) => {
        await page.getByRole('region', { name: 'Basic' }).getByRole('button', { name: 'Jetzt kaufen' }).click();
        await toast(page).waitFor();
      },
    },
    { name: 'admin-denied', path: '/admin' },
  ];
}
