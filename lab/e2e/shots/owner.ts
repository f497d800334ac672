import type { Page } from '@playwright/test';
import { madeUp, type Shot } from './album.ts';

const withdrawDialog = (page: Page) => page.getByRole('dialog', { name: 'Withdraw Tokens' });

/** The first button of that name that can be pressed; those of a hidden listing cannot. */
const enabled = (page: Page, name: RegExp) => page.getByRole('button', { name, disabled: false }).first();

const MONEY: Shot[] = [
  {
    name: 'portfolio-payment-not-found',
    path: '/portfolio',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByText('Paid, but nothing happened?').click();
      await page.getByLabel('Transaction digest').fill('9hTqW3nXvYb2KcD7mPzR4sLfGjE8aUoNxQ1wZ5yB');
      await page.getByRole('button', { name: 'Find my payment' }).click();
      await page.getByRole('button', { name: 'Find my payment' }).scrollIntoViewIfNeeded();
      await page.waitForLoadState('networkidle');
    },
  },
  {
    name: 'withdraw',
    path: '/portfolio',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
      await withdrawDialog(page).waitFor();
    },
  },
  {
    name: 'withdraw-validation-error',
    viewportOnly: true,
    prepare: async (page) => {
      await withdrawDialog(page).getByLabel('Amount').fill('20000');
      await withdrawDialog(page).getByRole('button', { name: 'Withdraw Tokens' }).click();
    },
  },
  {
    name: 'withdraw-paused',
    viewportOnly: true,
    prepare: async (page) => {
      await page.route('**/api/withdrawals*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as object), paused: true } });
      });
      await page.goto('/portfolio');
      await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
      await withdrawDialog(page).getByText('Withdrawals are paused').waitFor();
    },
  },
  {
    name: 'update',
    path: '/portfolio',
    viewportOnly: true,
    prepare: async (page) => {
      await enabled(page, /^Update \(5 SUI\)/).click();
      await page.getByRole('dialog', { name: 'Update Project' }).waitFor();
    },
  },
  {
    name: 'update-validation-errors',
    viewportOnly: true,
    prepare: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Update Project' });
      await dialog.getByRole('textbox', { name: 'Project Name' }).fill('');
      await dialog.getByRole('textbox', { name: 'Description' }).fill('x'.repeat(201));
      await dialog.getByRole('button', { name: /Pay 5 SUI/ }).click();
    },
  },
  {
    name: 'renew-asking-the-wallet',
    path: '/portfolio',
    viewportOnly: true,
    prepare: async (page) => {
      await enabled(page, /^Renew/).click();
      const connect = page.getByRole('dialog', { name: 'Connect to Snapswipe?' });
      const sign = page.getByRole('dialog', { name: 'Sign this transaction?' });
      await connect.or(sign).waitFor();
      if (await connect.isVisible()) await connect.getByRole('button', { name: 'Approve' }).click();
      await sign.waitFor();
    },
    after: (page) =>
      page.getByRole('dialog', { name: 'Sign this transaction?' }).getByRole('button', { name: 'Reject' }).click(),
  },
];

/** Screens of an owner with a long history; `ownRef` and `hiddenRef` are the owner's listings. */
export function ownerShots(ownRef: number, hiddenRef: number): Shot[] {
  return [
    { name: 'portfolio', path: '/portfolio' },
    {
      name: 'portfolio-all-open',
      path: '/portfolio',
      prepare: async (page) => {
        const all = page.getByRole('button', { name: /^Show (all|more)/ });
        for (const button of await all.all()) await button.click();
        await page.getByText('Paid, but nothing happened?').click();
      },
    },
    ...MONEY,
    { name: 'project-own', path: `/projects/${ownRef}` },
    { name: 'project-hidden', path: `/projects/${hiddenRef}` },
    {
      name: 'review-too-long',
      path: '/projects/2',
      prepare: (page) => page.getByRole('textbox', { name: 'Your review' }).fill('Good and plain. '.repeat(13)),
    },
    {
      name: 'review-failed',
      path: '/projects/2',
      viewportOnly: true,
      prepare: async (page) => {
        await madeUp.failure(page, '**/api/projects/*/reviews');
        await page.getByRole('textbox', { name: 'Your review' }).fill('Good and plain.');
        await page.getByRole('button', { name: /^Post Review/ }).click();
        await page
          .getByRole('region', { name: /Notification/ })
          .getByRole('listitem')
          .waitFor();
      },
    },
    {
      name: 'review-posted',
      path: '/projects/2',
      viewportOnly: true,
      prepare: async (page) => {
        await page.getByRole('textbox', { name: 'Your review' }).fill('Good and plain.');
        await page.getByRole('button', { name: /^Post Review/ }).click();
        await page.getByText('Review posted!', { exact: true }).waitFor();
      },
    },
  ];
}
