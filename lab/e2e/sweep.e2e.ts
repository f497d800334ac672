/** Every screen and dialog at every width, reached by clicking: nothing is cut off. */
import type { Page } from '@playwright/test';
import { PROJECT_NAME_MAX_CHARS } from '#shared/constants.ts';
import { getGuestCards } from '#shared/contract/projects.ts';
import { expectFits, expectFitsAtEach, type Size } from './fit.ts';
import { responseError, expect, grantTokens, test, topCard } from './fixtures.ts';
import { plantListing } from './listing.ts';
import { ownResponse, respond } from './made-up.ts';
import { uniqueText } from './unique.ts';

const SIZES: readonly Size[] = [
  [320, 740],
  [360, 740],
  [390, 740],
  [768, 900],
  [1024, 900],
  [1440, 900],
];
const inFooter = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

test.describe('without motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('every screen of a visitor fits at every width [S1.2 S1.6 S2.10]', async ({ page, allowed }) => {
    allowed.push(responseError(404, '/no-such-page'));
    await page.goto('/');
    await expect(page.getByText(/\d% bullish/).first()).toBeVisible();
    await expectFitsAtEach(page, 'landing', SIZES);
    await page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Wallet' });
    await expect(dialog.getByRole('button', { name: 'Sandbox Wallet' })).toBeVisible();
    await expectFitsAtEach(page, 'connect dialog', SIZES);
    for (const help of ['What is a Wallet?', 'Get Started']) {
      await dialog.getByRole('button', { name: help }).click();
      await expect(dialog.getByRole('heading', { name: help })).toBeVisible();
      await expectFitsAtEach(page, help, SIZES);
      await dialog.getByRole('button', { name: 'Back to wallets' }).click();
    }
    await page.keyboard.press('Escape');
    await inFooter(page, 'Leaderboard').click();
    await expect(page.getByRole('main').getByRole('listitem').nth(9)).toBeVisible();
    await expectFitsAtEach(page, 'leaderboard', SIZES);
    await page.getByText('Verified', { exact: true }).click();
    await expectFitsAtEach(page, 'leaderboard by verified votes', SIZES);
    await page.getByRole('main').getByRole('listitem').first().getByRole('link').click();
    await expect(page.getByRole('heading', { name: /^Reviews \(\d+\)$/ })).toBeVisible();
    await expectFitsAtEach(page, 'project', SIZES);
    for (const [link, title] of [
      ['How votes are checked', 'Figures you can check'],
      ['Snaps supply', 'Snaps supply'],
      ['Developers', 'Developers'],
      ['List a project', 'Submit Your Project'],
    ] as const) {
      await inFooter(page, link).click();
      await expect(heading(page, title)).toBeVisible();
      await expectFitsAtEach(page, `${link}, visitor`, SIZES);
    }
    await page.goto('/no-such-page');
    await expect(heading(page, '404 Page Not Found')).toBeVisible();
    await expectFitsAtEach(page, 'not found', SIZES);
  });

  test("a visitor's deck fits at every width after a vote on a project with the longest name [R76]", async ({
    page,
  }) => {
    const longest = 'Wide names '.repeat(6).slice(0, PROJECT_NAME_MAX_CHARS).trim();
    await page.route('/api/guest-cards', async (route) => {
      const { cards } = await ownResponse(route, getGuestCards);
      await respond(route, getGuestCards, { cards: cards.map((card) => ({ ...card, name: longest })) });
    });
    await page.goto('/leaderboard');
    await page.getByRole('banner').getByRole('link', { name: 'Snapswipe, home' }).click();
    const deck = page.getByRole('region', { name: 'Cards to try' });
    await deck.getByRole('button', { name: 'Bullish', exact: true }).click();
    await expect(deck.getByText(`Bullish on ${longest}`)).toBeVisible();
    await expectFitsAtEach(page, 'landing, after a vote', SIZES);
  });

  test('every screen of an owner with many tokens fits at every width [S1.6 S2.11 S2.25]', async ({
    page,
    newUser,
    database,
  }) => {
    const user = await newUser();
    for (const left of [20, -3])
      await plantListing(database, {
        name: `Harbor of the Long Northern Lights ${uniqueText()}`,
        wallet: user.address,
        days: [40, left],
      });
    await grantTokens(database, user.id, 1_234_567);
    await page.goto('/');
    await expect(topCard(page)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Top Projects' }).getByRole('listitem')).toHaveCount(3);
    await expectFitsAtEach(page, 'home', SIZES);
    const account = page.getByRole('banner').getByRole('button', { name: /^0x/ });
    const openMenu = async (item: string) => {
      await account.click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await account.click();
      await expect(page.getByRole('menu')).toBeVisible();
      await expectFits(page, `account menu at ${width} px`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('menu')).toHaveCount(0);
    }
    await openMenu('Profile');
    await expect(page.getByRole('heading', { name: 'Edit Profile' })).toBeVisible();
    await expectFitsAtEach(page, 'profile', SIZES);
    await openMenu('Submit Project');
    await page.getByRole('button', { name: /Submit Project$/ }).click();
    await expectFitsAtEach(page, 'submit, with what is missing', SIZES);
    await page.goto('/subscription');
    await expect(heading(page, 'Choose Your Plan')).toBeVisible();
    await expectFitsAtEach(page, 'plans', SIZES);
    await openMenu('Portfolio');
    await expect(page.getByRole('heading', { name: /^Active Projects \(\d+\)$/ })).toBeVisible();
    await expectFitsAtEach(page, 'portfolio', SIZES);
    await page
      .getByRole('link', { name: /^Insights of/ })
      .first()
      .click();
    await expect(heading(page, 'Insights')).toBeVisible();
    await expectFitsAtEach(page, 'insights', SIZES);
    await page.goBack();
    await page.getByRole('button', { name: 'Withdraw Tokens' }).click();
    await expect(page.getByRole('dialog', { name: 'Withdraw Tokens' })).toBeVisible();
    await expectFitsAtEach(page, 'withdraw dialog', SIZES);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Update \(5 SUI\)/ })
      .first()
      .click();
    await expect(page.getByRole('dialog', { name: 'Update Project' })).toBeVisible();
    await expectFitsAtEach(page, 'update dialog', SIZES);
  });
});

test('at 768 px the three steps are on one line, three examples fit, and a cut description ends with its dots [S1.2]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 900 });
  await page.goto('/');
  const how = page.getByRole('region', { name: 'How It Works' });
  const topOf = async (name: string) =>
    (await how.getByRole('heading', { level: 3, name, exact: true }).boundingBox())?.y;
  const steps = await Promise.all(['Connect', 'Swipe', 'Earn'].map(topOf));
  expect(new Set(steps).size).toBe(1);
  const cards = how.getByRole('list').last().getByRole('listitem');
  // They are read once they are near.
  await how.getByRole('list').last().scrollIntoViewIfNeeded();
  await expect(cards.getByRole('link').filter({ visible: true })).toHaveCount(3);
  const boxes = await cards.evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().top)));
  expect(new Set(boxes).size).toBe(1);
  const lines = await cards
    .locator('p')
    .evaluateAll((texts) =>
      texts.map((text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight)),
    );
  for (const count of lines) expect(count).toBeLessThanOrEqual(3.05);
});
