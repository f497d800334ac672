// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { signOut } from '#shared/contract/auth.ts';
import { searchProjects } from '#shared/contract/projects.ts';
import { getSupply } from '#shared/contract/supply.ts';
import { App, menu } from './app.tsx';
import { lostAction } from '../lib/lost-action.ts';
import { screenOf } from './routes.tsx';
import { setSite } from '../lib/site.ts';
import { SITE, TIME } from '../testing/made-up.ts';
import { act, draw, useTestPage } from '../testing/screen.tsx';

const server = useTestPage();

beforeEach(() => {
  window.scrollTo = () => undefined;
  lostAction.set(null);
  server().respond(searchProjects, []);
  server().respond(signOut, { success: true });
});

async function open(path = '/subscription') {
  history.replaceState(null, '', path);
  await menu.load();
  await screenOf(path).load();
  const user = userEvent.setup();
  await act(async () => void draw(<App />));
  await screen.findByRole('heading', { level: 1 });
  return user;
}
const links = (area: HTMLElement) =>
  within(area)
    .getAllByRole('link')
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`);

test('the footer names the licence of the data and links it [R75]', async () => {
  setSite({ ...SITE, dataLicense: { name: 'CC BY 4.0', url: 'https://example.org/by' } });
  await open();
  const footer = await screen.findByRole('navigation', { name: 'Footer' });
  expect(links(footer)).toContain('Data: CC BY 4.0 https://example.org/by');
});

test('the footer links what the deployment has and nothing else [S1.2]', async () => {
  setSite({ ...SITE, chatUrl: 'https://t.me/snap', socialUrl: 'javascript:alert(1)' });
  await open();
  expect(links(await screen.findByRole('navigation', { name: 'Footer' }))).toEqual([
    'Leaderboard /leaderboard',
    'How votes are checked /trust',
    'List a project /submit-project',
    'Snaps supply /supply',
    'Developers /developers',
    'Terms /terms',
    'Privacy /privacy',
    'Chat group https://t.me/snap',
  ]);
});

test('a banner names a test network, and mainnet has none [R21]', async () => {
  await open();
  expect(screen.getByRole('complementary', { name: 'Network' })).toHaveTextContent(
    'Sui localnet: test network, no real value',
  );
  act(() => setSite({ ...SITE, network: 'mainnet' }));
  expect(screen.queryByRole('complementary', { name: 'Network' })).toBeNull();
});

test('the supply page shows the numbers of totals that do not match', async () => {
  server().respond(getSupply, {
    issued: 5000,
    granted: 0,
    burned: 0,
    held: 0,
    paid: 0,
    circulating: 3000,
    balances: 3000,
    differing: 2,
    day: null,
    lost: 0,
    ahead: 0,
    checkedAt: TIME,
    liabilities: 3000,
    holders: 2,
    entries: 77,
  });
  await open('/supply');
  expect(
    await screen.findByText(
      /^The totals do not match: balances hold 3,000 Snaps, the ledger says 3,000; 2 voters differ\./,
    ),
  ).toBeVisible();
  expect(screen.getByText(/to 2 voters/)).toBeVisible();
});
