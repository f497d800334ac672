import type { Locator, Page } from '@playwright/test';
import { expectActionInSight } from '../fit.ts';
import { fillListing } from '../listing.ts';
import { uniqueText } from '../unique.ts';
import { expectDeckAlive } from './deck.ts';
import {
  chooseInMenu,
  expect,
  expectToast,
  logo,
  openAdminPanel,
  press,
  signIn,
  signTransaction,
  test,
  toastOf,
} from './door.ts';
import { expectContentAlive, expectScreenAlive, expectVisibleToPerson } from './see.ts';

const LOOK_MS = 500;

const inFooter = (page: Page, name: string): Locator => page.getByRole('contentinfo').getByRole('link', { name });
async function expectTrustAlive(page: Page): Promise<void> {
  await expectScreenAlive(page, 'Figures you can check');
  for (const name of [/^Votes/, 'Check it', 'How it works', 'The public record', 'Balance checks'])
    await expectVisibleToPerson(page.getByRole('heading', { name, exact: true }));
  await expectVisibleToPerson(page.getByText(/^curl -O http/));
  await press(page.getByRole('heading', { name: 'How it works', exact: true }));
  await expectVisibleToPerson(page.getByRole('heading', { name: /That number is stored on Sui/ }));
}

async function expectDevelopersAlive(page: Page): Promise<void> {
  await press(inFooter(page, 'Developers'));
  await expectScreenAlive(page, 'Developers');
  const entries = page.getByRole('region', { name: 'Open endpoints' }).getByRole('listitem');
  const entry = entries.filter({ hasText: '/api/v1/leaderboard.csv' });
  await press(entry.getByText('/api/v1/leaderboard.csv', { exact: true }));
  await expectVisibleToPerson(entry.getByText('Responses'));
  await expectVisibleToPerson(entry.getByText(/^curl '/));
}

async function visitAsVisitor(page: Page): Promise<void> {
  await page.goto('/');
  await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  await press(inFooter(page, 'Leaderboard'));
  await expectScreenAlive(page, 'Project Leaderboard');
  const firstPicture = await page.locator('main li img').first().boundingBox();
  expect(firstPicture?.y ?? Infinity, 'top of the first picture').toBeLessThanOrEqual(400);
  const sign = page.getByRole('button', { name: /^Evidence for / }).first();
  await press(sign);
  await expectVisibleToPerson(page.getByRole('tooltip').first());
  await page.keyboard.press('Escape');
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await press(page.getByRole('searchbox', { name: 'Search' }));
  await page.keyboard.type('tidpol');
  await expect(page.getByText('1 project found')).toBeVisible();
  await expectVisibleToPerson(page.getByText('Tidepool Swap'));
  await page.getByRole('searchbox', { name: 'Search' }).fill('');
  await expect(page.getByRole('main').getByRole('listitem').nth(3)).toBeVisible();
  const verified = page.getByRole('navigation', { name: 'Order' }).getByRole('link', { name: 'Verified' });
  await press(verified);
  await expect(verified).toHaveAttribute('aria-current', 'page');
  await expect(page).toHaveURL('/leaderboard?sort=verified');
  // Until then the rows of the previous sort are shown.
  await expect(page.getByRole('main').locator('ol').first()).toHaveAttribute('aria-busy', 'false');
  await expectScreenAlive(page, 'Project Leaderboard');
  await press(page.getByText('All projects ranked by their verified votes'));
  await expectVisibleToPerson(page.getByText(/^The bullish share that we are 95% sure of/));
  const first = page.getByRole('main').getByRole('listitem').first().getByRole('link').first();
  await press(first);
  await expect(page).toHaveURL(/\/projects\//);
  await expectScreenAlive(page, /.+/);
  await press(page.getByRole('region', { name: 'Votes' }).getByText('How we know'));
  await expectVisibleToPerson(page.getByText(/^To flip it: /));
  await page.getByRole('heading', { name: 'Over time' }).scrollIntoViewIfNeeded();
  await expectVisibleToPerson(page.locator('[data-chart]').first());
  await press(page.getByRole('region', { name: 'Votes' }).getByRole('link', { name: 'How votes are checked' }));
  await expectTrustAlive(page);
  await press(logo(page));
  await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  await press(page.getByRole('main').getByRole('link', { name: 'How votes are checked' }));
  await expectTrustAlive(page);
  await press(inFooter(page, 'Snaps supply'));
  await expectScreenAlive(page, 'Snaps supply');
  await expectDevelopersAlive(page);
  await press(inFooter(page, 'List a project'));
  await expectScreenAlive(page, 'Submit Your Project');
}

async function submitAndPay(page: Page, name: string): Promise<void> {
  await fillListing(page, name);
  await press(page.getByRole('button', { name: 'Pay 15 SUI & Submit Project' }));
  const request = page.getByRole('dialog', { name: 'Sign this transaction?' });
  await expectVisibleToPerson(request.getByText('15 SUI', { exact: true }));
  await signTransaction(page);
  await expect(toastOf(page)).toContainText('Project submitted successfully!');
  await page.waitForURL((url) => url.pathname === '/');
  const party = page.getByRole('dialog', { name: 'Your project is live!' });
  await expect(toastOf(page).getByRole('listitem')).toHaveCount(0);
  await expectActionInSight(party.getByRole('link', { name: 'See the insights' }), 'See the insights');
  await expectVisibleToPerson(party.getByRole('button', { name: 'Copy link' }));
  await expectVisibleToPerson(
    party.getByRole('img', { name: `The badge of ${name}: share, likely range, and verified votes` }),
  );
  await press(party.getByRole('button', { name: 'Close' }));
  await expect(party).toHaveCount(0);
  await expectDeckAlive(page, LOOK_MS);
}

async function readStanding(page: Page): Promise<void> {
  const standing = page.getByRole('region', { name: 'Are your votes verified?' });
  await expectVisibleToPerson(standing.getByText(/^Your votes can be verified on Monday \d+ \w+\.$/));
  await expect(standing.getByRole('button', { name: 'Appeal' })).toHaveCount(0);
}

async function visitConnected(page: Page, name: string): Promise<void> {
  await chooseInMenu(page, 'Portfolio');
  await expectScreenAlive(page, 'Your Portfolio');
  await readStanding(page);
  await expectVisibleToPerson(page.getByRole('heading', { name: 'Active Projects (1)' }));
  await expectVisibleToPerson(page.getByRole('link', { name, exact: true }));
  await press(page.getByRole('button', { name: `Renew (15 SUI) ${name}` }));
  await expectScreenAlive(page, 'Insights');
  await expectVisibleToPerson(page.getByRole('heading', { name: 'Your project is live!' }));
  await expectVisibleToPerson(
    page.getByRole('region', { name: 'The next 31 days' }).getByText(/Everybody is asked again/),
  );
  await press(page.getByRole('button', { name: 'Renew (15 SUI)' }));
  await signTransaction(page);
  await expectToast(page, 'Project renewed!');
  await expectVisibleToPerson(page.getByText(/^61d \d+h remaining$/));
  await press(page.getByRole('link', { name: 'Open its page' }));
  await expectScreenAlive(page, name);
  await chooseInMenu(page, 'Profile');
  await expectScreenAlive(page, /Profile/);
  await page.getByRole('textbox', { name: 'Username' }).fill(`front_${uniqueText()}`);
  await press(page.getByRole('button', { name: 'Save Profile' }));
  await expectToast(page, 'Profile updated!');
  await press(inFooter(page, 'Leaderboard'));
  await expectScreenAlive(page, 'Project Leaderboard');
  await press(logo(page));
  await expectDeckAlive(page, LOOK_MS);
}

test("every screen is reached by clicking and is alive; a listing is paid from the faucet's money [S2.1 S2.24 S4.7]", async ({
  page,
}) => {
  const name = `Driftwood ${uniqueText()}`;
  await visitAsVisitor(page);
  await signIn(page, { opener: page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }) });
  await expectScreenAlive(page, 'Submit Your Project');
  await submitAndPay(page, name);
  await visitConnected(page, name);
});

test('a dead link shows the 404 page and leads to the landing page [S2.9 S2.33]', async ({ page, allowed, loads }) => {
  allowed.push(/status of 404 \(Not Found\)/);
  loads.expected = 2;
  for (const [path, heading] of [
    ['/nowhere', '404 Page Not Found'],
    ['/projects/there-is-none', 'Project Not Found'],
  ] as const) {
    await page.goto(path);
    await expectScreenAlive(page, heading);
    await press(page.getByRole('main').getByRole('link', { name: 'Back to Home' }));
    await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  }
});

const TABS = [
  'Overview',
  'Withdrawals',
  'SQL console',
  'Payments',
  'Moderation',
  'Votes',
  'Catalogue',
  'People',
  'Audit log',
] as const;

test('the admin reaches the panel by the menu; every tab is alive [S2.40 R33]', async ({ page }) => {
  await page.goto('/');
  await signIn(page, { admin: true });
  await openAdminPanel(page);
  await expectScreenAlive(page, 'Admin Panel');
  for (const tab of TABS) {
    await press(page.getByRole('tab', { name: tab }));
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
    await expectContentAlive(page);
    await expectVisibleToPerson(page.getByRole('tabpanel').getByRole('heading').first());
  }
  await press(page.getByRole('tab', { name: 'Votes' }));
  for (const name of ['Read balances now', 'Publish now'])
    await expectVisibleToPerson(page.getByRole('button', { name }));
  await press(page.getByRole('tab', { name: 'SQL console' }));
  await press(page.getByRole('button', { name: 'Count projects' }));
  await expectToast(page, 'Query Executed');
  await expectVisibleToPerson(page.getByRole('tabpanel').getByRole('table'));
  await press(page.getByRole('button', { name: 'Logout' }));
  await expectScreenAlive(page, 'Admin Login');
});
