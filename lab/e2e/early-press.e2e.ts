/** A press before the page's code has come counts when it comes, for the card that was seen (R87). */
import type { Locator, Page } from '@playwright/test';
import { drag, expect, giveCookie, grantTokens, test, type TestUser } from './fixtures.ts';
import { holdCode } from './held-code.ts';

const top = (page: Page): Locator => page.locator('[data-depth="0"]');

type Press = (page: Page) => Promise<void>;
const PRESSES: Record<string, Press> = {
  'the button': (page) => page.getByRole('button', { name: 'Bullish', exact: true }).click(),
  'a swipe': (page) => drag(page, top(page), 170),
  'the arrow key': (page) => page.keyboard.press('ArrowRight'),
};

async function pressEarly(page: Page, address: string, press: Press): Promise<string> {
  const release = await holdCode(page);
  await page.goto(address, { waitUntil: 'commit' });
  // Users press only what is painted: before the stylesheet has come, each part of the page is elsewhere.
  await page.waitForFunction(
    () => document.readyState !== 'loading' && performance.getEntriesByName('first-contentful-paint').length > 0,
  );
  const name = (await top(page).getAttribute('aria-label')) ?? '';
  await press(page);
  await expect(page.locator('html')).toHaveAttribute('data-early', 'bullish');
  await expect(top(page)).not.toHaveCSS('transform', 'none');
  await expect(top(page).locator('[data-stamp="bullish"]')).toHaveCSS('opacity', '1');
  release();
  await expect(top(page)).not.toHaveAttribute('aria-label', name);
  await expect(page.locator('html')).not.toHaveAttribute('data-early');
  return name;
}

interface Listed {
  name: string;
  slug: string;
}
const feedOf = async (page: Page, { id }: TestUser): Promise<Listed[]> =>
  (await (await page.request.get(`/api/projects?userId=${id}`)).json()) as Listed[];

const expectCounted = (page: Page, user: TestUser, name: string): Promise<void> =>
  expect.poll(async () => (await feedOf(page, user)).map((project) => project.name)).not.toContain(name);

for (const [what, press] of Object.entries(PRESSES)) {
  test(`${what} before the code has come votes on the card that was seen, as a visitor, at home, and by a link to a card [R87 R48]`, async ({
    page,
    consoleErrors,
  }) => {
    const seen = await pressEarly(page, '/', press);
    await expect(page.getByRole('region', { name: 'Cards to try' }).getByText(`Bullish on ${seen}`)).toBeVisible();
    await page.evaluate(() => localStorage.clear());

    const user = await giveCookie(page);
    await expectCounted(page, user, await pressEarly(page, '/', press));
    const linked = (await feedOf(page, user))[4];
    expect(await pressEarly(page, `/?card=${linked?.slug}`, press)).toBe(linked?.name);
    await expectCounted(page, user, linked?.name ?? '');
    await expect(page).toHaveURL('/');
    expect(consoleErrors).toEqual([]);
  });
}

test("a vote on a project's page before the code has come is kept, for visitors and users [R87]", async ({ page }) => {
  const press = async (address: string) => {
    const release = await holdCode(page);
    await page.goto(address, { waitUntil: 'commit' });
    await PRESSES['the button']?.(page);
    release();
  };
  await press('/projects/tidepool-swap');
  const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
  await dialog.getByText('Count my 1 vote', { exact: true }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Tidepool Swap' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await giveCookie(page);
  await press('/projects/tidepool-swap');
  await expect(page.getByRole('region', { name: 'Your vote' })).toContainText('You voted bullish');
});

test('an early press is dropped where another card is on top once the code has come [R87]', async ({ page }) => {
  const seen = await pressEarly(page, '/', (there) => there.keyboard.press('ArrowRight'));
  const release = await holdCode(page);
  await page.goto('/', { waitUntil: 'commit' });
  // The server knows nothing of the vote that waits here.
  await expect(top(page)).toHaveAttribute('aria-label', seen);
  await PRESSES['the button']?.(page);
  release();
  const deck = page.getByRole('region', { name: 'Cards to try' });
  await expect(deck.getByRole('button', { name: 'Sign in to count your 1 vote' })).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-early');
  await expect(top(page)).toHaveCSS('transform', 'none');
});

/** Uses every native control of the server's HTML, as far as a script can, and notes on it what it shows then. Returns their number. */
function useControls(): number {
  const controls = [...document.querySelectorAll<HTMLInputElement>('main :is(input, textarea, select), details')];
  for (const control of controls) {
    if (control instanceof HTMLDetailsElement) control.open = true;
    else if (control instanceof HTMLSelectElement) control.selectedIndex = control.options.length - 1;
    else if (control.type === 'checkbox' || control.type === 'radio') control.click();
    else control.value = control.type === 'range' ? '1' : 'a';
    control.dataset['used'] = String(control instanceof HTMLDetailsElement || [control.value, control.checked].join());
  }
  return controls.length;
}

/** Used controls that no longer show what was chosen, show something else than the page knows, or are open without content. */
function disagreements(): string[] {
  const found: string[] = [];
  for (const control of document.querySelectorAll<HTMLInputElement>('[data-used]')) {
    const isFold = control instanceof HTMLDetailsElement;
    const key = Object.keys(control).find((name) => name.startsWith('__reactProps'));
    const known = key && (control as unknown as Record<string, { value?: string | number; checked?: boolean }>)[key];
    const { value = control.value, checked = control.checked } = known || {};
    const shown = String(isFold ? control.open : [control.value, control.checked].join());
    const isTrue = isFold ? control.children.length > 1 : shown === [value, checked].join();
    if (!known || !isTrue || shown !== control.dataset['used'])
      found.push(`${control.tagName} ${control.ariaLabel ?? control.textContent}: ${shown}`);
  }
  return found;
}

test("every control of the server's HTML that is used before the code has come is what the page shows [R87]", async ({
  page,
  database,
}) => {
  const useAll = async (address: string) => {
    const release = await holdCode(page);
    await page.goto(address, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.readyState !== 'loading');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const count = await page.evaluate(useControls);
    release();
    await expect.poll(() => page.evaluate(disagreements), { message: address }).toEqual([]);
    await expect(page.locator('[data-used]')).toHaveCount(count);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  };
  const forAll = ['/', '/leaderboard', '/leaderboard?sort=trending', '/projects/tidepool-swap', '/trust'];
  for (const address of forAll) await useAll(address);
  const { id } = await giveCookie(page);
  await grantTokens(database, id, 1_000);
  for (const address of [...forAll, '/portfolio']) await useAll(address);
});

test.describe('a page that is drawn again', () => {
  test.use({ locale: 'de-DE' });

  test("a search and a category stay where the page is drawn again in the reader's numbers [R87]", async ({ page }) => {
    const release = await holdCode(page);
    await page.goto('/leaderboard', { waitUntil: 'commit' });
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Gaming');
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('a');
    release();
    await expect(page).toHaveURL('/leaderboard?category=Gaming&search=a');
    await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('Gaming');
    await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('a');
  });
});
