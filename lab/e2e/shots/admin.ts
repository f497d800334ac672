import type { Page } from '@playwright/test';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { madeUp, type Shot } from './album.ts';

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const openTab = async (page: Page, name: string) => {
  await page.goto('/admin');
  await tab(page, name);
  await page.waitForLoadState('networkidle');
};

const LOGIN: Shot[] = [
  { name: 'admin-login', path: '/admin' },
  {
    name: 'admin-login-failed',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Login' }).click();
      await page.getByText('Login Failed', { exact: true }).waitFor();
    },
  },
  {
    name: 'admin-logged-in',
    viewportOnly: true,
    prepare: async (page) => {
      await page.getByLabel('Password').fill('snapswipe-e2e');
      await page.getByRole('button', { name: 'Login' }).click();
      await page.getByRole('heading', { name: 'Admin Panel' }).waitFor();
    },
  },
];

const WITHDRAWALS: Shot[] = [
  ...['Requested', 'Approved', 'Sending', 'Failed', 'Paid', 'Rejected'].map((state) => ({
    name: `admin-withdrawals-${state.toLowerCase()}`,
    prepare: async (page: Page) => {
      await openTab(page, 'Withdrawals');
      await page.getByRole('radio', { name: state, exact: true }).check({ force: true });
      await page.waitForLoadState('networkidle');
    },
  })),
  {
    name: 'admin-withdrawal-reject',
    viewportOnly: true,
    prepare: async (page) => {
      await openTab(page, 'Withdrawals');
      await page
        .getByRole('button', { name: /^Reject withdrawal/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'admin-withdrawal-reject-validation-error',
    viewportOnly: true,
    prepare: (page) => page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click(),
  },
  {
    name: 'admin-withdrawals-empty',
    prepare: async (page) => {
      await madeUp.with(page, '**/api/admin/withdrawals*', []);
      await openTab(page, 'Withdrawals');
    },
  },
  {
    name: 'admin-withdrawals-failed',
    prepare: async (page) => {
      await madeUp.failure(page, '**/api/admin/withdrawals*');
      await openTab(page, 'Withdrawals');
    },
  },
];

const giveRole = async (page: Page) => {
  await openTab(page, 'People');
  // A wallet without a user, a different one each time.
  await page.getByLabel('Wallet').fill(Ed25519Keypair.generate().toSuiAddress());
  await page.getByLabel('Reason').fill('Pays on Mondays');
  await page.getByRole('button', { name: 'Give role' }).click();
  await page.getByRole('dialog', { name: 'One-time password' }).waitFor();
};

const PEOPLE: Shot[] = [
  { name: 'admin-overview', prepare: (page) => openTab(page, 'Overview') },
  {
    name: 'admin-overview-failed',
    prepare: async (page) => {
      await madeUp.failure(page, '**/api/admin/overview');
      await openTab(page, 'Overview');
    },
  },
  { name: 'admin-one-time-password', viewportOnly: true, prepare: giveRole },
  {
    name: 'admin-people',
    prepare: async (page) => {
      await openTab(page, 'People');
      await page
        .getByRole('button', { name: /^History of/ })
        .first()
        .click();
      await page
        .getByText(/has done nothing yet|as CSV/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'admin-people-revoke',
    viewportOnly: true,
    prepare: (page) =>
      page
        .getByRole('button', { name: /^Revoke the role/ })
        .first()
        .click(),
  },
  {
    name: 'admin-people-errors',
    prepare: async (page) => {
      await openTab(page, 'People');
      await page.getByRole('button', { name: 'Give role' }).click();
    },
  },
];

const runSql = async (page: Page, sql: string) => {
  await page.getByLabel('SQL query').fill(sql);
  await page.getByRole('button', { name: 'Run Query' }).click();
  await page.waitForLoadState('networkidle');
};

const CONSOLE: Shot[] = [
  { name: 'admin-sql', prepare: (page) => openTab(page, 'SQL console') },
  {
    name: 'admin-sql-result',
    prepare: async (page) => {
      await openTab(page, 'SQL console');
      await runSql(page, 'SELECT id, name, slug, category, expires_at FROM projects ORDER BY id LIMIT 12');
      await page.getByRole('tabpanel').getByRole('table').waitFor();
      await page.getByText(/^History/).click();
    },
  },
  {
    name: 'admin-sql-dry-run',
    prepare: async (page) => {
      await openTab(page, 'SQL console');
      await runSql(page, "UPDATE projects SET category = 'DeFi' WHERE id = 3");
      await page.getByRole('region', { name: 'Dry run' }).waitFor();
    },
  },
  {
    name: 'admin-sql-error',
    prepare: async (page) => {
      await openTab(page, 'SQL console');
      await runSql(page, 'SELECT * FORM projects');
      await page
        .getByRole('region', { name: /Notification/ })
        .getByText('SQL Error')
        .waitFor();
    },
  },
];

const search = async (page: Page, words: string) => {
  await page
    .getByRole('tabpanel')
    .getByRole('searchbox')
    .or(page.getByRole('tabpanel').getByRole('textbox'))
    .first()
    .fill(words);
  await page.keyboard.press('Enter');
  await page.waitForLoadState('networkidle');
};

const REST: Shot[] = [
  { name: 'admin-payments', prepare: (page) => openTab(page, 'Payments') },
  {
    name: 'admin-payment-refund',
    viewportOnly: true,
    prepare: async (page) => {
      await openTab(page, 'Payments');
      await page
        .getByRole('button', { name: /refund/i })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'admin-payments-empty',
    prepare: async (page) => {
      await madeUp.with(page, '**/api/admin/payments*', []);
      await openTab(page, 'Payments');
    },
  },
  { name: 'admin-moderation', prepare: (page) => openTab(page, 'Moderation') },
  {
    name: 'admin-moderation-found',
    prepare: async (page) => {
      await openTab(page, 'Moderation');
      await search(page, 'tide');
    },
  },
  {
    name: 'admin-moderation-hide',
    viewportOnly: true,
    prepare: async (page) => {
      await page
        .getByRole('button', { name: /^Hide project/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'admin-moderation-nothing-found',
    prepare: async (page) => {
      await openTab(page, 'Moderation');
      await search(page, 'zzzzzz');
      await page.getByText('Nothing found').waitFor();
    },
  },
  { name: 'admin-audit', viewportOnly: true, prepare: (page) => openTab(page, 'Audit log') },
  {
    name: 'admin-audit-nothing-found',
    prepare: async (page) => {
      await openTab(page, 'Audit log');
      await search(page, 'zzzzzz');
      await page.getByText('Nothing found').waitFor();
    },
  },
  { name: 'admin-submit', path: '/submit-project' },
  { name: 'admin-portfolio', path: '/portfolio' },
  { name: 'insights', path: '/projects/tidepool-swap/insights?days=30' },
  { name: 'insights-welcome', path: '/projects/tidepool-swap/insights?welcome' },
  {
    name: 'admin-logged-out',
    viewportOnly: true,
    prepare: async (page) => {
      await page.goto('/admin');
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.getByText('Logged Out', { exact: true }).waitFor();
    },
  },
];

/** The three gates' last one, every tab with data, its dialogs, its empty and error states. */
export const ADMIN_SHOTS: Shot[] = [...LOGIN, ...PEOPLE, ...WITHDRAWALS, ...CONSOLE, ...REST];
