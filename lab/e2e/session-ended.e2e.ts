import type { Locator, Page } from '@playwright/test';
import {
  responseError,
  deckOf,
  endElsewhere,
  expect,
  lockOver,
  OWN_READS_401,
  test,
  topCard,
  voteByButton,
} from './fixtures.ts';
import { stopTime } from './still-time.ts';
import { uniqueText } from './unique.ts';

async function pressAfterEnd(page: Page, target: Locator, { calls = true } = {}): Promise<void> {
  await stopTime(page);
  await endElsewhere(page);
  const unauthorized = calls ? page.waitForResponse((response) => response.status() === 401) : null;
  await target.click();
  await unauthorized;
  await page.clock.resume();
  await expect(offerOf(page)).toBeVisible();
}

const SNAPS = /^[\d,]+ Snaps$/;

const offerOf = (page: Page): Locator => page.getByRole('alert').filter({ hasText: 'Your session has ended' });
const signButton = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Sign this message?' }).getByRole('button', { name: 'Sign' });

async function signInAgain(page: Page): Promise<void> {
  await offerOf(page).getByRole('button', { name: 'Sign in again' }).click();
  await signButton(page).click();
  await expect(offerOf(page)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

const namesOf = (page: Page): Promise<string[]> =>
  deckOf(page)
    .locator('[data-depth]')
    .evaluateAll((cards) =>
      cards
        .toSorted((one, other) => Number(one.dataset.depth) - Number(other.dataset.depth))
        .map((card) => card.dataset.project ?? ''),
    );

async function skip(page: Page): Promise<string> {
  const top = (await topCard(page).getAttribute('data-project')) ?? '';
  await deckOf(page).getByRole('button', { name: 'Skip', exact: true }).click();
  await expect(topCard(page)).not.toHaveAttribute('data-project', top);
  await expect(deckOf(page).locator('[data-depth]')).toHaveCount(3);
  return top;
}

test('a vote that meets the end of the session comes back, and the deck continues from there after signing in again [R4 S4.4]', async ({
  page,
  signIn,
  allowed,
}) => {
  allowed.push(responseError(401, '/api/votes'));
  await page.clock.install();
  await page.goto('/');
  await signIn();
  await voteByButton(page, 'Bullish');
  const skipped = await skip(page);
  const before = await namesOf(page);
  await pressAfterEnd(page, deckOf(page).getByRole('button', { name: 'Bearish', exact: true }));
  await expect(offerOf(page).getByText(/^Your vote on .+ was not counted/)).toBeVisible();
  await expect.poll(() => namesOf(page)).toEqual(before);
  const banner = page.getByRole('banner');
  await expect(banner.getByRole('button', { name: /^0x/ })).toHaveCount(0);
  await expect(banner.getByRole('link', { name: SNAPS })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Your Statistics' })).toHaveCount(0);

  // Polls of own data rest: a whole round of the public ones brings no further 401.
  const again: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 401) again.push(response.url());
  });
  const polled = page.waitForResponse((response) => response.url().endsWith('/reviews'));
  await page.clock.fastForward(30_000);
  await polled;
  expect(again).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect(deckOf(page).getByRole('button', { name: 'Bullish', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  expect(await namesOf(page)).toEqual(before);

  await signInAgain(page);
  await expect(page.getByRole('region', { name: 'Your Statistics' })).toBeVisible();
  await expect(banner.getByRole('link', { name: '10 Snaps' })).toBeVisible();
  expect(await namesOf(page)).toEqual(before);
  await voteByButton(page, 'Bearish');
  await expect(banner.getByRole('link', { name: '20 Snaps' })).toBeVisible();
  await lockOver(page);
  expect(await namesOf(page)).not.toContain(skipped);
});

test('private pages show the offer instead of failed reads, and give typed text back', async ({
  page,
  signIn,
  allowed,
}) => {
  allowed.push(...OWN_READS_401);
  await page.clock.install();
  await page.goto('/');
  await signIn();
  await page.getByRole('banner').getByRole('link', { name: 'Profile', exact: true }).click();
  const username = page.getByRole('textbox', { name: 'Username' });
  const typed = `half_${uniqueText()}`;
  await username.fill(typed);
  await pressAfterEnd(page, page.getByRole('button', { name: 'Save Profile' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Your session has ended' })).toBeVisible();
  await expect(username).toBeHidden();
  await expect(page.getByText(/Failed to fetch/)).toHaveCount(0);
  await signInAgain(page);
  await expect(username).toHaveValue(typed);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated!').first()).toBeVisible();

  const portfolio = page.getByRole('banner').getByRole('link', { name: SNAPS });
  await pressAfterEnd(page, portfolio, { calls: false });
  await expect(page).toHaveURL(/\/portfolio$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Your session has ended' })).toBeVisible();
  await expect(page.getByText(/Failed to fetch/)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Your Portfolio' })).toBeHidden();
  await signInAgain(page);
  await expect(page.getByRole('heading', { name: 'Your Portfolio' })).toBeVisible();
});
