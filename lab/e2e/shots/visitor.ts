import type { Page } from '@playwright/test';
import { lockOver } from '../fixtures.ts';
import { messageDialog, signInDialog, walletDialog } from '../front-door/door.ts';
import { madeUp, type Shot } from './album.ts';

const connect = (page: Page) => page.getByRole('dialog', { name: 'Connect Wallet' });
const openDialog = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click();
const pickSandbox = (page: Page) => connect(page).getByRole('button', { name: 'Sandbox Wallet' }).click();

/** The way from 'Connect Wallet' to the signature, rejections included; each continues where the one before ended. */
const SIGNING_IN: Shot[] = [
  { name: 'connect-wallets', path: '/', viewportOnly: true, prepare: openDialog },
  {
    name: 'connect-what-is-a-wallet',
    viewportOnly: true,
    prepare: (page) => connect(page).getByRole('button', { name: 'What is a Wallet?' }).click(),
  },
  {
    name: 'connect-get-started',
    path: '/',
    viewportOnly: true,
    prepare: async (page) => {
      await openDialog(page);
      await connect(page).getByRole('button', { name: 'Get Started' }).click();
    },
  },
  {
    name: 'connect-asking-the-wallet',
    path: '/',
    viewportOnly: true,
    prepare: async (page) => {
      await openDialog(page);
      await pickSandbox(page);
      await walletDialog(page).waitFor();
    },
  },
  {
    name: 'connect-failed',
    viewportOnly: true,
    prepare: async (page) => {
      await walletDialog(page).getByRole('button', { name: 'Reject' }).click();
      await connect(page).getByText('Connection failed').waitFor();
    },
  },
  {
    name: 'sign-in',
    viewportOnly: true,
    prepare: async (page) => {
      await connect(page).getByRole('button', { name: 'Retry Connection' }).click();
      await walletDialog(page).getByRole('button', { name: 'Approve' }).click();
      await signInDialog(page).getByRole('button', { name: 'Sign in' }).waitFor();
    },
  },
  {
    name: 'sign-in-asking-the-wallet',
    viewportOnly: true,
    prepare: async (page) => {
      await signInDialog(page).getByRole('button', { name: 'Sign in' }).click();
      await messageDialog(page).waitFor();
    },
  },
  {
    name: 'sign-in-declined',
    viewportOnly: true,
    prepare: async (page) => {
      await messageDialog(page).getByRole('button', { name: 'Reject' }).click();
      await signInDialog(page).getByRole('button', { name: 'Try Again' }).waitFor();
    },
  },
];

/** Three cards swiped, and the sign-in that counts them. */
const GUEST: Shot[] = [
  {
    name: 'landing-swiped',
    path: '/',
    prepare: async (page) => {
      const deck = page.getByRole('region', { name: 'Cards to try' });
      await deck.getByRole('button', { name: 'Bullish', exact: true }).click();
      await deck.getByRole('button', { name: 'Sign in to count your 1 vote' }).waitFor();
    },
  },
  {
    name: 'landing-votes',
    prepare: async (page) => {
      const deck = page.getByRole('region', { name: 'Cards to try' });
      for (const count of [2, 3]) {
        await lockOver(page);
        await deck.getByRole('button', { name: 'Bearish', exact: true }).click();
        await deck.getByRole('button', { name: `Sign in to count your ${count} votes` }).waitFor();
      }
    },
  },
  {
    name: 'connect-votes',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Sign in to count your 3 votes' }).click();
      await connect(page).getByRole('list', { name: 'Your votes' }).waitFor();
    },
    after: (page) => page.evaluate(() => localStorage.clear()),
  },
];

/** Navigates inside the app, so that the page reads its data itself and a failure can be seen. */
const viaFooter = (page: Page, name: string) =>
  page.getByRole('contentinfo').getByRole('link', { name, exact: true }).click();

const FAILING: Shot[] = [
  {
    name: 'leaderboard-empty',
    path: '/nowhere',
    prepare: async (page) => {
      await madeUp.with(page, '**/api/v1/projects?*', []);
      await viaFooter(page, 'Leaderboard');
      await page.getByText('No projects available yet').waitFor();
    },
  },
  {
    name: 'leaderboard-failed',
    path: '/nowhere',
    prepare: async (page) => {
      await madeUp.failure(page, '**/api/v1/projects?*');
      await viaFooter(page, 'Leaderboard');
      await page.getByText('Failed to fetch leaderboard').waitFor();
    },
  },
  {
    name: 'leaderboard-loading',
    path: '/nowhere',
    viewportOnly: true,
    isLoading: true,
    prepare: async (page) => {
      await madeUp.never(page, '**/api/v1/projects?*');
      await viaFooter(page, 'Leaderboard');
      await page.getByText('Loading leaderboard...').waitFor({ state: 'attached' });
    },
  },
  {
    name: 'project-reviews-failed',
    path: '/leaderboard',
    prepare: async (page) => {
      await madeUp.failure(page, '**/reviews*');
      await page.getByRole('main').getByRole('listitem').first().getByRole('link').first().click();
      await page.getByText('Failed to fetch reviews').waitFor();
    },
  },
  {
    name: 'project-failed',
    path: '/leaderboard',
    prepare: async (page) => {
      await page.route(/\/api\/projects\/(?!leaderboard)[^/]+$/, (route) => route.fulfill({ status: 503, body: '' }));
      await page.getByRole('main').getByRole('listitem').first().getByRole('link').first().click();
      await page.getByText('Failed to fetch project').waitFor();
    },
  },
  {
    name: 'supply-failed',
    path: '/nowhere',
    prepare: async (page) => {
      await madeUp.failure(page, '**/api/supply');
      await viaFooter(page, 'Snaps supply');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'trust-failed',
    path: '/nowhere',
    prepare: async (page) => {
      await madeUp.failure(page, '**/api/trust');
      await madeUp.failure(page, '**/api/record');
      await viaFooter(page, 'How votes are checked');
      await page.getByText('Failed to fetch the record').waitFor();
    },
  },
  {
    name: 'screen-failed',
    path: '/nowhere',
    prepare: async (page) => {
      await page.route('**/assets/supply-page-*.js', (route) => route.abort());
      await viaFooter(page, 'Snaps supply');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'wallet-code-failed',
    path: '/leaderboard',
    viewportOnly: true,
    prepare: async (page) => {
      await page.route('**/assets/wallet-module-*.js', (route) => route.abort());
      await openDialog(page);
      await page.getByRole('alert').waitFor();
    },
  },
];

const reference = (page: Page) => page.getByRole('region', { name: 'Open endpoints' });
const DEVELOPERS: Shot[] = [
  { name: 'developers', path: '/developers', prepare: (page) => reference(page).waitFor() },
  {
    name: 'developers-endpoint',
    path: '/developers',
    prepare: (page) => page.getByText('/api/v1/projects/{id}/reviews').click(),
  },
  {
    name: 'developers-failed',
    path: '/nowhere',
    prepare: async (page) => {
      await madeUp.failure(page, '**/api/openapi.json');
      await viaFooter(page, 'Developers');
      await page.getByRole('alert').waitFor();
    },
  },
];

/** Screens of a visitor without a wallet. */
export const VISITOR_SHOTS: Shot[] = [
  { name: 'landing', path: '/' },
  ...GUEST,
  ...SIGNING_IN,
  { name: 'leaderboard', path: '/leaderboard', viewportOnly: true },
  { name: 'leaderboard-verified', path: '/leaderboard?order=verified', viewportOnly: true },
  { name: 'leaderboard-verified', path: '/leaderboard?order=verified', viewportOnly: true },
  { name: 'project-visitor', path: '/projects/2' },
  { name: 'project-missing', path: '/projects/there-is-none' },
  { name: 'profile-visitor', path: '/profile' },
  { name: 'portfolio-visitor', path: '/portfolio' },
  { name: 'submit-visitor', path: '/submit-project' },
  { name: 'subscription-visitor', path: '/subscription' },
  { name: 'supply', path: '/supply' },
  { name: 'trust', path: '/trust' },
  { name: 'terms', path: '/terms' },
  { name: 'privacy', path: '/privacy' },
  ...DEVELOPERS,
  { name: 'admin-visitor', path: '/admin' },
  { name: 'not-found', path: '/nowhere' },
  ...FAILING,
];
