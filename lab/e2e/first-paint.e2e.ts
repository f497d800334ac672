import type { Page } from '@playwright/test';
import { LEADERBOARD_FIRST_ROWS } from '#shared/constants.ts';
import { startSlowHtml } from './slow-html.ts';
import { deckOf, expect, giveCookie, type TestUser, test, topCard, voteByButton } from './fixtures.ts';

const PAGES = [
  ['/', 'Swipe. Vote. Earn.'],
  ['/leaderboard', 'Project Leaderboard'],
  ['/projects/tidepool-swap', 'Tidepool Swap'],
  ['/trust', 'Figures you can check'],
] as const;

async function markHeadline(page: Page): Promise<void> {
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.querySelector('h1')?.setAttribute('data-from-html', '')),
  );
}

interface Shifts {
  /** The largest one while the browser was reading the HTML: how much of it is on the screen before the rest is the machine's affair. */
  largestBefore: number;
  sumAfter: number;
  moved: string;
}

async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number;
      sources: Array<{ node: Node | null; currentRect: DOMRect; previousRect: DOMRect }>;
    };
    const boxOf = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    let drawnAt = Infinity;
    const note = () => (drawnAt = performance.now());
    addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => requestAnimationFrame(note)));
    let largestBefore = 0;
    let sumAfter = 0;
    let moved = '';
    new PerformanceObserver((list) => {
      for (const { value, sources, startTime } of list.getEntries() as Shift[]) {
        if (startTime > drawnAt) sumAfter += value;
        else largestBefore = Math.max(largestBefore, value);
        for (const { node, previousRect, currentRect } of sources)
          moved += `${startTime > drawnAt ? 'after' : 'before'} ${node instanceof Element ? node.className : node?.textContent}: ${boxOf(previousRect)} to ${boxOf(currentRect)}\n`;
      }
      document.documentElement.dataset['shifts'] = JSON.stringify({ largestBefore, sumAfter, moved });
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Content that grows from the right or from below (navigation, a card's words) moves by 0.010 where all of it comes at once. */
async function expectNothingMoved(page: Page): Promise<void> {
  const noted = await page.evaluate(() => document.documentElement.dataset['shifts']);
  if (noted === undefined) return;
  const { largestBefore, sumAfter, moved } = JSON.parse(noted) as Shifts;
  expect(largestBefore, `what moved while the HTML came, from x, y, width and height:\n${moved}`).toBeLessThan(0.03);
  expect(sumAfter, `what moved after it, from x, y, width and height:\n${moved}`).toBeLessThan(0.001);
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('pages without JavaScript can be read, and their links work [S2.1]', async ({ page }) => {
    for (const [path, headline] of PAGES) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: headline })).toBeVisible();
      await expect(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' })).toBeVisible();
    }
    await page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }).click();
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(LEADERBOARD_FIRST_ROWS);
  });
});

test('the browser continues with what the server drew, nothing moves, and the console is silent', async ({
  page,
  consoleErrors,
}) => {
  await markHeadline(page);
  await watchShifts(page);
  for (const [path, headline] of PAGES) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('heading', { level: 1, name: headline })).toHaveAttribute('data-from-html');
    await expectNothingMoved(page);
  }
  expect(consoleErrors).toEqual([]);
});

test('the button that a visitor presses as soon as there is one opens the dialog', async ({ page }) => {
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('main').getByRole('button', { name: 'Connect Wallet' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Connect Wallet' })).toBeVisible();
});

for (const held of ['index', 'leaderboard-page']) {
  test(`Back while the code loads (${held}) shows the page of the address, and the console is silent`, async ({
    page,
    consoleErrors,
  }) => {
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Leaderboard' }).click();
    const leaderboard = page.getByRole('heading', { level: 1, name: 'Project Leaderboard' });
    await expect(leaderboard).toBeVisible();
    const released = Promise.withResolvers<void>();
    await page.route(`**/assets/${held}-*.js`, async (route) => {
      await released.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(new RegExp(`/assets/${held}-`));
    await page.reload({ waitUntil: 'commit' });
    await asked;
    await expect(leaderboard).toBeVisible();
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL('/');
    released.resolve();
    await expect(page.getByRole('heading', { level: 1, name: 'Swipe. Vote. Earn.' })).toBeVisible();
    await expect(leaderboard).toHaveCount(0);
    expect(consoleErrors).toEqual([]);
  });
}

const namesOf = async (page: Page, { id }: TestUser): Promise<string[]> =>
  ((await (await page.request.get(`/api/projects?userId=${id}`)).json()) as Array<{ name: string }>).map(
    ({ name }) => name,
  );

test('HTML that comes slowly is taken over when all of it has come, for visitors and users', async ({
  page,
  consoleErrors,
}) => {
  const site = await startSlowHtml();
  await watchShifts(page);
  await markHeadline(page);
  const open = async ([path, headline]: readonly [string, string]) => {
    await page.goto(`${site.url}${path}`);
    await expect(page.getByRole('heading', { level: 1, name: headline })).toHaveAttribute('data-from-html');
    await expectNothingMoved(page);
  };
  for (const visited of PAGES) await open(visited);
  await giveCookie(page);
  await open(['/', 'Vote on projects']);
  await open(['/portfolio', 'Your Portfolio']);
  expect(consoleErrors).toEqual([]);
  await page.goto('about:blank');
  await site.stop();
});

test.describe('with a session', () => {
  test('shows the first card, the votes left and the balance before any code runs [S2.11 R11]', async ({ page }) => {
    const user = await giveCookie(page);
    await page.route(/\/assets\/.*\.js$/, () => undefined);
    const [first = '', second = ''] = await namesOf(page, user);
    await page.goto('/', { waitUntil: 'commit' });
    await expect(topCard(page)).toHaveAttribute('aria-label', first);
    await expect(topCard(page).getByRole('heading', { name: first })).toBeVisible();
    await expect(topCard(page)).toHaveCSS('opacity', '1');
    await expect(deckOf(page).locator('[data-depth="1"]')).toHaveAttribute('aria-label', second);
    await expect(deckOf(page)).toContainText('25 votes left');
    await expect(page.getByRole('banner').getByRole('link', { name: '0 Snaps' })).toBeVisible();
    for (const path of ['/leaderboard', '/portfolio', '/profile']) {
      await page.goto(path, { waitUntil: 'commit' });
      await expect(page.getByRole('banner').getByRole('link', { name: '0 Snaps' })).toBeVisible();
    }
    await page.goto('/portfolio', { waitUntil: 'commit' });
    await expect(page.getByText(/Your votes can be verified on Monday/)).toBeVisible();
  });

  test("the browser takes over the server's HTML: nothing moves, nothing is fetched twice, a vote counts", async ({
    page,
    consoleErrors,
  }) => {
    const user = await giveCookie(page);
    const [first = ''] = await namesOf(page, user);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await markHeadline(page);
    await watchShifts(page);
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('heading', { level: 1, name: 'Vote on projects' })).toHaveAttribute('data-from-html');
    await expect(topCard(page)).toHaveAttribute('aria-label', first);
    await expectNothingMoved(page);
    for (const path of ['/api/auth/wallet', '/api/projects', '/api/config']) expect(asked).not.toContain(path);
    const lost = await page.evaluate(() =>
      [...document.querySelectorAll('[aria-labelledby], [aria-describedby]')]
        .flatMap((element) => [element.getAttribute('aria-labelledby'), element.getAttribute('aria-describedby')])
        .filter((id) => id !== null && document.getElementById(id) === null),
    );
    expect(lost).toEqual([]);
    await voteByButton(page, 'Bullish');
    await page.reload();
    await expect(topCard(page)).not.toHaveAttribute('aria-label', first);
    await expect(deckOf(page)).toContainText(/24 votes until \d\d:\d\d/);
    expect(consoleErrors).toEqual([]);
  });
});

test.describe('where numbers are written in another way', () => {
  test.use({ locale: 'de-DE' });

  test('the browser draws the page again, in its own way', async ({ page, consoleErrors }) => {
    await markHeadline(page);
    await page.goto('/leaderboard');
    const headline = page.getByRole('heading', { level: 1, name: 'Project Leaderboard' });
    await expect(headline).not.toHaveAttribute('data-from-html');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
    expect(consoleErrors).toEqual([]);
  });
});
