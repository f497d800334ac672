/** `npm run shots`: every screen, phone and desktop, light and dark, into ./shots for a person to look through. */
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { becomeBusy, becomeOwner, fillListing } from './shots-data.ts';

/** 'busy' owns projects and has a history of everything. */
type Who = 'visitor' | 'user' | 'owner' | 'busy';

interface Shot {
  name: string;
  path: string;
  who: Who;
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<void>;
  /** Only what a person sees at first, not the whole page. */
  viewportOnly?: boolean;
}

const SHOTS: Shot[] = [
  { name: 'landing', path: '/', who: 'visitor' },
  {
    name: 'connect',
    path: '/',
    who: 'visitor',
    viewportOnly: true,
    prepare: (page) => page.getByRole('button', { name: 'Connect Wallet' }).first().click(),
  },
  { name: 'home', path: '/', who: 'user' },
  { name: 'deck', path: '/', who: 'user', viewportOnly: true },
  { name: 'leaderboard', path: '/leaderboard', who: 'visitor', viewportOnly: true },
  { name: 'project', path: '/projects/1', who: 'user' },
  { name: 'project-visitor', path: '/projects/2', who: 'visitor' },
  { name: 'project-missing', path: '/projects/there-is-none', who: 'visitor' },
  { name: 'profile', path: '/profile', who: 'user' },
  { name: 'profile-visitor', path: '/profile', who: 'visitor' },
  { name: 'portfolio', path: '/portfolio', who: 'owner' },
  {
    name: 'portfolio-busy',
    path: '/portfolio',
    who: 'busy',
    prepare: async (page) => {
      await page.getByRole('button', { name: /^Show all \d+$/ }).click();
      await page.getByText('Paid, but nothing happened?').click();
    },
  },
  {
    name: 'payment-not-found',
    path: '/portfolio',
    who: 'busy',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByText('Paid, but nothing happened?').click();
      await page.getByLabel('Transaction digest').fill('9hTqW3nXvYb2KcD7mPzR4sLfGjE8aUoNxQ1wZ5yB');
      await page.getByRole('button', { name: 'Find my payment' }).click();
      await page.getByRole('button', { name: 'Find my payment' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'withdraw',
    path: '/portfolio',
    who: 'busy',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
      const dialog = page.getByRole('dialog', { name: 'Withdraw Tokens' });
      await dialog.getByLabel('Amount').fill('20000');
      await dialog.getByRole('button', { name: 'Withdraw Tokens' }).click();
    },
  },
  {
    name: 'withdraw-paused',
    path: '/portfolio',
    who: 'busy',
    viewportOnly: true,
    prepare: async (page) => {
      await page.route('**/api/withdrawals', async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), paused: true } });
      });
      await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
    },
  },
  { name: 'portfolio-empty', path: '/portfolio', who: 'user' },
  { name: 'submit-project', path: '/submit-project', who: 'user' },
  {
    name: 'submit-project-faults',
    path: '/submit-project',
    who: 'user',
    prepare: (page) => page.getByRole('button', { name: /Submit Project$/ }).click(),
  },
  { name: 'submit-project-filled', path: '/submit-project', who: 'user', prepare: fillListing },
  {
    name: 'submit-project-paying',
    path: '/submit-project',
    who: 'user',
    viewportOnly: true,
    prepare: async (page) => {
      await fillListing(page);
      await page.getByRole('button', { name: /Submit Project$/ }).click();
    },
  },
  { name: 'subscription', path: '/subscription', who: 'user' },
  { name: 'subscription-visitor', path: '/subscription', who: 'visitor' },
  { name: 'admin-visitor', path: '/admin', who: 'visitor' },
  { name: 'admin-denied', path: '/admin', who: 'user' },
  { name: 'not-found', path: '/nowhere', who: 'visitor' },
];

for (const device of ['desktop', 'phone'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test.describe(`${device}, ${theme}`, () => {
      test.use({
        colorScheme: theme,
        viewport: device === 'phone' ? { width: 390, height: 844 } : { width: 1440, height: 900 },
        hasTouch: device === 'phone',
        contextOptions: { reducedMotion: 'reduce' },
      });
      for (const shot of SHOTS) {
        test(shot.name, async ({ page, newUser, database }) => {
          if (shot.who !== 'visitor') {
            const person = await newUser(new Ed25519Keypair());
            if (shot.who === 'owner') await becomeOwner(database, person);
            if (shot.who === 'busy') await becomeBusy(database, person);
          }
          await page.goto(shot.path);
          await expect(page.getByRole('main')).toBeVisible();
          await page.waitForLoadState('networkidle');
          await shot.prepare?.(page);
          await page.waitForTimeout(600);
          await page.screenshot({ path: `shots/${shot.name}-${device}-${theme}.png`, fullPage: !shot.viewportOnly });
        });
      }
    });
  }
}
