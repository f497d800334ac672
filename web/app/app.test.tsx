// @vitest-environment happy-dom
/** What stands around every page: header, menu, footer, theme, toasts, the way from page to page, the end of a session. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { THEME_KEY } from '#shared/constants.ts';
import { listSessions, signOut } from '#shared/contract/auth.ts';
import { searchProjects } from '#shared/contract/projects.ts';
import { getSupply } from '#shared/contract/supply.ts';
import { getStats, getUser } from '#shared/contract/users.ts';
import { App } from './app.tsx';
import { preloadPages } from './preload-pages.ts';
import { preloadToasts } from '../components/layout/toaster.tsx';
import { preloadAccountMenu } from '../components/session/wallet-control.tsx';
import { lostAction } from '../lib/lost-action.ts';
import { screenOf } from './routes.tsx';
import { session } from '../lib/session.ts';
import { setSite } from '../lib/site.ts';
import { ADDRESS, ADMIN, SITE, STATS, TIME, USER } from '../testing/made-up.ts';
import { act, allowInConsole, draw, pass, pressToLoad, useTestPage } from '../testing/screen.tsx';
import { startTheme } from '../lib/theme.ts';
import { toast, toasts } from '../lib/toast.ts';
import { connectDialogOpen } from '../lib/wallet-state.ts';

const server = useTestPage();
const signOutHere = () => {
  session.lost(session.era());
  session.walletChanged('0x9');
};

beforeEach(() => {
  window.scrollTo = () => undefined;
  lostAction.set(null);
  server().respond(searchProjects, []);
  server().respond(signOut, { success: true });
});

async function open(path = '/subscription') {
  history.replaceState(null, '', path);
  preloadAccountMenu();
  await screenOf(path).load();
  const user = userEvent.setup();
  await act(async () => void draw(<App />));
  await screen.findByRole('heading', { level: 1 });
  return user;
}
/** Of the page; cards have their own. */
const header = () => screen.getAllByRole('banner')[0] as HTMLElement;
const announced = () => document.querySelector('output[class="sr-only"]')?.textContent;
const links = (area: HTMLElement) =>
  within(area)
    .getAllByRole('link')
    .map((link) => `${link.textContent} ${link.getAttribute('href')}`);

describe('the header [S1.6 S2.10]', () => {
  test('of a user: places, balance, and the wallet with its menu', async () => {
    session.signedIn({ user: USER, stats: { ...STATS, tokenBalance: 1234567 } });
    const user = await open();

    expect(links(header()).slice(1)).toEqual([
      'Leaderboard /leaderboard',
      'Profile /profile',
      'Submit Project /submit-project',
      '1,234,567Snaps /portfolio',
    ]);
    const button = await screen.findByRole('button', { name: '0x1200...cdef' });
    expect(button).toHaveAttribute('title', ADDRESS);
    expect(button).toHaveAttribute('aria-expanded', 'false');
    expect(button).toHaveAttribute('aria-haspopup', 'menu');
    await user.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    const menu = screen.getByRole('menu');
    const items = within(menu).getAllByRole('menuitem');
    expect(items.map((item) => `${item.textContent} ${item.getAttribute('href')}`)).toEqual([
      'Profile /profile',
      'Portfolio /portfolio',
      'Submit Project /submit-project',
      'Leaderboard /leaderboard',
      'Disconnect Wallet null',
    ]);
  });

  test('the menu: arrows go round, Escape gives the focus back, Tab and a press elsewhere close', async () => {
    const user = await open();
    const button = await screen.findByRole('button', { name: '0x1200...cdef' });
    button.focus();
    await user.keyboard('{ArrowDown}');
    const focused = () => document.activeElement?.textContent;
    expect(focused()).toBe('Profile');
    await user.keyboard('{ArrowUp}');
    expect(focused()).toBe('Disconnect Wallet');
    await user.keyboard('{ArrowDown}{ArrowDown}');
    expect(focused()).toBe('Portfolio');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(button).toHaveFocus();
    await user.click(button);
    await user.tab();
    expect(screen.queryByRole('menu')).toBeNull();
    await user.click(button);
    fireEvent.pointerDown(screen.getByRole('menu'));
    expect(screen.getByRole('menu')).toBeVisible();
    fireEvent.pointerDown(document.body);
    expect(screen.queryByRole('menu')).toBeNull();
    await user.click(button);
    await user.click(button);
    expect(screen.queryByRole('menu')).toBeNull();
  });

  test('the admin has the panel in the menu', async () => {
    session.signedIn({ user: ADMIN, stats: STATS });
    const user = await open();
    await user.click(await screen.findByRole('button', { name: '0xaaaa...aaaa' }));
    expect(screen.getByRole('menuitem', { name: 'Admin Panel' })).toHaveAttribute('href', '/admin');
  });

  test('Disconnect Wallet signs out, here and on the server [S4.1]', async () => {
    const user = await open();
    await user.click(await screen.findByRole('button', { name: '0x1200...cdef' }));
    await user.click(screen.getByRole('menuitem', { name: 'Disconnect Wallet' }));
    await waitFor(() => expect(session.get().status).toBe('none'));
    expect(server().calls(signOut)).toHaveLength(1);
    expect(within(header()).getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    expect(links(header()).slice(1)).toEqual(['Leaderboard /leaderboard']);
  });
});

describe('the frame', () => {
  test('the footer links what the deployment has, and nothing else [S1.2]', async () => {
    setSite({ ...SITE, chatUrl: 'https://t.me/snap', socialUrl: 'javascript:alert(1)' });
    await open();
    expect(links(screen.getByRole('navigation', { name: 'Footer' }))).toEqual([
      'Leaderboard /leaderboard',
      'Trust /trust',
      'Plans /subscription',
      'List a project /submit-project',
      'Snaps supply /supply',
      'Developers /developers',
      'Privacy /privacy',
      'Chat group https://t.me/snap',
    ]);
  });

  test('says that it is a test network, on mainnet nothing [R21]', async () => {
    await open();
    expect(screen.getByRole('complementary', { name: 'Network' })).toHaveTextContent(
      'Sui localnet: test network, no real value',
    );
    act(() => setSite({ ...SITE, network: 'mainnet' }));
    expect(screen.queryByRole('complementary', { name: 'Network' })).toBeNull();
  });

  test('light and dark by the button, kept, followed from other tabs and the system [S4.3]', async () => {
    let isDark = false;
    const systems: Array<() => void> = [];
    vi.spyOn(window, 'matchMedia').mockImplementation(
      () =>
        ({
          get matches() {
            return isDark;
          },
          addEventListener: (_: string, listener: () => void) => systems.push(listener),
        }) as unknown as MediaQueryList,
    );
    document.head.insertAdjacentHTML('beforeend', '<meta name="theme-color" content="">');
    startTheme();
    const user = await open();
    const frame = () => [
      document.documentElement.dataset['theme'],
      document.querySelector('meta[name=theme-color]')?.getAttribute('content'),
    ];
    expect(frame()).toEqual(['light', '#f5f4ef']);
    await user.click(screen.getByRole('button', { name: 'Switch to dark theme' }));
    expect(frame()).toEqual(['dark', '#07101b']);
    expect(localStorage.getItem(THEME_KEY)).toBe('dark');
    expect(screen.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
    localStorage.setItem(THEME_KEY, 'light');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'other' })));
    expect(frame()[0]).toBe('dark');
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: THEME_KEY })));
    expect(frame()[0]).toBe('light');
    localStorage.removeItem(THEME_KEY);
    isDark = true;
    act(() => systems[0]?.());
    expect(frame()[0]).toBe('dark');
  });
});

describe('from page to page', () => {
  test('a new title, the top of the page, the focus at its start, and a word; the first page says nothing', async () => {
    const user = await open();
    expect(document.title).toBe('Plans · Snapswipe');
    expect(announced()).toBe('');
    const scrolled = vi.spyOn(window, 'scrollTo');
    await screenOf('/leaderboard').load();
    await user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name: 'Leaderboard' }));
    expect(await screen.findByText('No projects available yet')).toBeVisible();
    expect(document.title).toBe('Project Leaderboard · Snapswipe');
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(screen.getByRole('main')).toHaveFocus();
    expect(announced()).toBe('Project Leaderboard');
  });

  test('a page is fetched when the pointer or the focus reaches a link to it', async () => {
    preloadPages();
    await open();
    const load = vi.spyOn(screenOf('/supply'), 'load');
    const footer = within(screen.getByRole('contentinfo'));
    fireEvent.pointerOver(footer.getByText('Votes are opinions, not financial advice.'));
    expect(load).not.toHaveBeenCalled();
    fireEvent.pointerOver(footer.getByRole('link', { name: 'Snaps supply' }));
    expect(load).toHaveBeenCalledTimes(1);
    fireEvent.focusIn(footer.getByRole('link', { name: 'Snaps supply' }));
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('an address that is no page says so', async () => {
    await open('/nowhere');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/not found/i);
    expect(document.title).toBe('404 Page Not Found · Snapswipe');
  });

  test('the proof of liabilities: where all tokens are, and whether the books add up', async () => {
    server().respond(getSupply, {
      issued: 5000,
      burned: 1000,
      held: 200,
      paid: 800,
      circulating: 3000,
      balances: 3000,
      differing: 0,
      liabilities: 3200,
      holders: 1,
      entries: 77,
      asOf: TIME,
    });
    await open('/supply');
    const issued = await screen.findByRole('region', { name: 'Snaps issued' });
    expect(within(issued).getByText('5,000')).toBeVisible();
    const parts = within(issued)
      .getAllByRole('term')
      .map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);
    expect(parts).toEqual(['In circulation 3,000', 'Held 200', 'Paid 800', 'Burned 1,000']);
    expect(within(issued).getByText(/^Checked: the balances of all voters add up to 3,000 Snaps/)).toBeVisible();
    expect(screen.getByText(/^Liabilities: 3,200 Snaps, held by 1 voter\. From 77 entries/)).toBeVisible();
  });

  test('totals that do not match show their numbers', async () => {
    server().respond(getSupply, {
      issued: 5000,
      burned: 0,
      held: 0,
      paid: 0,
      circulating: 3000,
      balances: 3000,
      differing: 2,
      liabilities: 3000,
      holders: 2,
      entries: 77,
      asOf: TIME,
    });
    await open('/supply');
    expect(
      await screen.findByText(
        /^The totals do not match: balances hold 3,000 Snaps, the ledger says 3,000; 2 voters differ\./,
      ),
    ).toBeVisible();
    expect(screen.getByText(/held by 2 voters/)).toBeVisible();
  });

  test('plans: each button says which one; visitors are asked for a wallet [S2.19 S2.23]', async () => {
    await open();
    const plans = screen.getAllByRole('region').map((plan) => plan.querySelector('h2')?.textContent);
    expect(plans).toEqual(['Basic', 'Pro', 'Elite']);
    expect(screen.getByText('Beliebt').closest('section')).toHaveAccessibleName('Pro');
    await pressToLoad(within(screen.getByRole('region', { name: 'Elite' })).getByRole('button'));
    expect(toasts.get()[0]).toMatchObject({
      title: 'Subscription purchased!',
      description: 'Elite plan has been successfully activated.',
    });
    await act(async () => signOutHere());
    expect(await screen.findByText('Connect it to see the plans.')).toBeVisible();
  });
});

describe('toasts [S9.14]', () => {
  test('show their words and go by themselves after five seconds, or by Close', async () => {
    await preloadToasts();
    await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    act(() => void toast({ title: 'Saved', description: 'All of it', variant: 'success' }));
    await pass(100);
    expect(screen.getByText('Saved', { selector: 'li *' })).toBeVisible();
    expect(screen.getByText('All of it', { selector: 'li *' })).toBeVisible();
    await pass(4_800);
    expect(toasts.get()[0]?.open).toBe(true);
    await pass(200);
    expect(toasts.get()[0]?.open).toBe(false);
    await pass(1_000_000);
    expect(toasts.get()).toEqual([]);
    act(() => void toast({ title: 'One', variant: 'destructive' }));
    act(() => void toast({ title: 'Two' }));
    await pass(100);
    expect(screen.queryByText('One', { selector: 'li *' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(toasts.get()[0]?.open).toBe(false);
  });
});

describe('the end of a session', () => {
  test('is offered to be mended over a page that stays, with what was lost; declining signs out', async () => {
    const user = await open();
    act(() => session.lost(session.era()));
    act(() => lostAction.set('Your vote on Coral was not counted.'));
    const offer = within(screen.getByRole('alert'));
    expect(offer.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    expect(offer.getByText('Your vote on Coral was not counted.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible();
    expect(within(header()).getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    await user.click(offer.getByRole('button', { name: 'Stay signed out' }));
    expect(session.get().status).toBe('none');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('takes a page of own data out of sight until its user is back', async () => {
    server().respond(getUser, USER);
    server().respond(getStats, STATS);
    server().respond(listSessions, []);
    await open('/profile');
    const name = await screen.findByLabelText('Username');
    await userEvent.setup().type(name, 'typed');
    act(() => session.lost(session.era()));
    expect(name).not.toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your session has ended' })).toBeVisible();
    const focus = vi.spyOn(screen.getByRole('main'), 'focus');
    await act(async () => session.signedIn({ user: USER, stats: STATS }));
    expect(name).toBeVisible();
    expect(name).toHaveValue('typed');
    expect(screen.getByRole('main')).toHaveFocus();
    // The page keeps its place.
    expect(focus.mock.calls).toEqual([[{ preventScroll: true }]]);
    await act(async () => session.signedIn({ user: { ...USER, id: 8 }, stats: STATS }));
    expect(await screen.findByLabelText('Username')).toHaveValue('');
  });
});

describe('the wallet dialog', () => {
  test('that cannot be loaded says so, tries again, and closes', async () => {
    allowInConsole(/^The wallet code could not be loaded/);
    signOutHere();
    const user = await open();
    const gate = Promise.withResolvers<void>();
    vi.doMock('../wallet/wallet-module.ts', async () => {
      await gate.promise;
      throw new Error('gone');
    });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const opener = within(header()).getByRole('button', { name: 'Connect Wallet' });
    expect(opener).not.toHaveAttribute('aria-busy');
    await user.click(opener);
    expect(opener).toHaveAttribute('aria-busy', 'true');
    gate.resolve();
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The wallet connection could not be loaded.');
    expect(opener).not.toHaveAttribute('aria-busy');
    await user.click(within(alert).getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByRole('alert')).toBeVisible();
    await user.click(within(await screen.findByRole('alert')).getByRole('button', { name: 'Close' }));
    expect(connectDialogOpen.get()).toBe(false);
    expect(screen.queryByRole('alert')).toBeNull();
    vi.doUnmock('../wallet/wallet-module.ts');
  });
});
