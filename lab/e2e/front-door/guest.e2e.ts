/** A visitor swipes first, and signs in later to count the votes. */
import type { Locator, Page } from '@playwright/test';
import { watchVotes } from '../fixtures.ts';
import { expectActionInSight, SCREENS, type Size } from '../fit.ts';
import {
  accountButton,
  deckOf,
  expect,
  messageDialog,
  pickWallet,
  press,
  sign,
  signInDialog,
  test,
  walletDialog,
} from './door.ts';
import { type Card, expectDeckAlive, projectSeen, storedVotes, swipe, voteOn } from './deck.ts';
import { expectScreenAlive, expectVisibleToPerson, waitForAnimations } from './see.ts';

const tryOut = (page: Page): Locator => page.getByRole('region', { name: 'Cards to try' });
const topOf = (page: Page): Locator => tryOut(page).locator('[data-depth="0"]');
const countButton = (page: Page, count: number): Locator =>
  tryOut(page).getByRole('button', { name: `Sign in to count your ${count} vote${count === 1 ? '' : 's'}` });

const walletsDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Connect Wallet' });
const signInButton = (page: Page): Locator => signInDialog(page).getByRole('button', { name: 'Sign in' });
const countSwitch = (dialog: Locator, count: number): Locator =>
  dialog.getByRole('switch', { name: `Count my ${count} vote${count === 1 ? '' : 's'}` });

async function cardOnTop(page: Page): Promise<Card> {
  await waitForAnimations(page);
  await expectVisibleToPerson(topOf(page).getByRole('heading', { level: 2 }));
  return projectSeen(page, topOf(page));
}

async function swipeCard(page: Page, distancePx: number): Promise<Card> {
  const card = await cardOnTop(page);
  await swipe(page, distancePx, topOf(page));
  await expect(tryOut(page).getByText(`${distancePx > 0 ? 'Bullish' : 'Bearish'} on ${card.name}`)).toBeVisible();
  return card;
}

async function expectOnFirstScreen(page: Page): Promise<void> {
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect(topOf(page)).toBeInViewport({ ratio: 0.99 });
  for (const name of ['Bearish', 'Skip', 'Bullish'])
    await expect(tryOut(page).getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 0.99 });
}

const EVERY: readonly Size[] = [...SCREENS, [390, 844], [1440, 900], [1280, 720]];
/** Screens on which a card and its buttons fit, too. */
const WITH_ALL_BUTTONS: readonly Size[] = [
  [1366, 657],
  [1280, 600],
  [844, 390],
  [390, 664],
];

function sightOf(button: Element): { heightPx: number; isHit: boolean; scrolledPx: number } {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const isInside = left >= 0 && right <= innerWidth;
  return {
    heightPx: isInside ? Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) : 0,
    isHit: button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)),
    scrolledPx: scrollY,
  };
}

const WHOLE = { heightPx: 44, isHit: true, scrolledPx: 0 };

async function hideBanner(page: Page): Promise<void> {
  await page.getByRole('complementary', { name: 'Network' }).evaluate((banner) => {
    if (banner instanceof HTMLElement) banner.style.display = 'none';
    banner.removeAttribute('data-network');
  });
}

test('a visitor swipes three cards, and signs in to count them [R76 R59]', async ({ page, database }) => {
  const calls = watchVotes(page);
  await page.goto('/');
  await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  await expectOnFirstScreen(page);
  await expectVisibleToPerson(tryOut(page).getByText("Right if you'd back it, left if not. No wallet needed."));
  const promised = tryOut(page).getByText('+10 Snaps waiting').waitFor();
  const first = await swipeCard(page, 170);
  await promised;
  await expect(countButton(page, 1)).toBeInViewport({ ratio: 0.99 });
  const second = await swipeCard(page, -170);
  await press(tryOut(page).getByRole('button', { name: `Undo your vote on ${second.name}` }));
  await expect(topOf(page)).toHaveAttribute('data-project', second.id);
  await swipeCard(page, -170);
  const third = await cardOnTop(page);
  await press(tryOut(page).getByRole('button', { name: 'Bullish', exact: true }));

  const list = tryOut(page).getByRole('list', { name: 'Your votes' });
  for (const { name } of [first, second, third]) await expectVisibleToPerson(list.getByText(name));
  await expectVisibleToPerson(tryOut(page).getByText('+30 Snaps', { exact: true }));
  await expectVisibleToPerson(tryOut(page).getByText(/^Sign in to see how [\d,]+ others voted\.$/));
  await expectScreenAlive(page, 'Swipe. Vote. Earn.');
  expect(calls, 'calls before the sign-in').toEqual([]);

  await pickWallet(page, countButton(page, 3));
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  await press(signInDialog(page).getByText('Count my 3 votes'));
  const listed = signInDialog(page).getByRole('list', { name: 'Your votes' }).getByRole('listitem');
  await expect(listed).toHaveText([`${first.name}Bullish`, `${second.name}Bearish`, `${third.name}Bullish`]);
  expect(calls, 'calls before the signature').toEqual([]);
  // Both stay for some seconds only.
  const told = page.getByText('3 votes counted').first().waitFor();
  const result = deckOf(page)
    .getByText(/of [\d,]+ others? voted like you$|^First vote on this project$/)
    .waitFor();
  await sign(page);

  await expectVisibleToPerson(page.getByRole('banner').getByRole('link', { name: '30 Snaps', exact: true }));
  const wallet = (await page.getByRole('banner').locator('button[title^="0x"]').getAttribute('title')) ?? '';
  expect(await storedVotes(database, wallet)).toEqual([
    voteOn(first, 'bullish'),
    voteOn(second, 'bearish'),
    voteOn(third, 'bullish'),
  ]);
  await Promise.all([told, result]);
  await expect(deckOf(page)).toContainText('3 of 10 today');
  await expectDeckAlive(page, 500);
});

test("every button to sign in lists a visitor's votes with a switch, and home offers those that it left alone [R76]", async ({
  page,
  database,
  loads,
}) => {
  const calls = watchVotes(page);
  await page.goto('/');
  const card = await swipeCard(page, 170);
  await press(page.getByRole('banner').getByRole('button', { name: 'Connect Wallet' }));
  await press(walletsDialog(page).getByText('Count my 1 vote', { exact: true }));
  await expectVisibleToPerson(walletsDialog(page).getByText(card.name));
  await expect(countSwitch(walletsDialog(page), 1)).toBeChecked();
  await press(countSwitch(walletsDialog(page), 1));
  await press(walletsDialog(page).getByRole('button', { name: 'Sandbox Wallet' }));
  await press(walletDialog(page).getByRole('button', { name: 'Approve' }));
  await expect(countSwitch(signInDialog(page), 1)).not.toBeChecked();
  await expectActionInSight(signInButton(page), 'Sign in with 1 vote');
  await sign(page);
  await expect(deckOf(page)).toBeVisible();
  await expectDeckAlive(page, 500);
  const wallet = (await accountButton(page).getAttribute('title')) ?? '';
  expect([await storedVotes(database, wallet), calls]).toEqual([[], []]);

  loads.expected = 2;
  await page.reload();
  await expectVisibleToPerson(deckOf(page).getByRole('heading', { name: 'Count your 1 vote?' }));
  await expectVisibleToPerson(deckOf(page).getByText(card.name));
  const accept = deckOf(page).getByRole('button', { name: 'Count my 1 vote' });
  expect(await accept.evaluate(sightOf)).toEqual(WHOLE);
  expect(calls).toEqual([]);
  await press(accept);
  await expectVisibleToPerson(deckOf(page).getByText('1 of 10 today'));
  expect(await storedVotes(database, wallet)).toEqual([voteOn(card, 'bullish')]);
  await expectDeckAlive(page, 500);
});

test('a visitor votes without scrolling on a screen of any size, and the buttons that count the votes are whole [R76]', async ({
  page,
}) => {
  await page.goto('/');
  const atEachSize = async (sizes: readonly Size[], look: (where: string) => Promise<void>) => {
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await waitForAnimations(page);
      await page.evaluate(() => scrollTo(0, 0));
      await look(`at ${width} × ${height}`);
    }
  };
  const vote = async () => {
    await cardOnTop(page);
    await press(tryOut(page).getByRole('button', { name: 'Bullish', exact: true }));
  };
  await cardOnTop(page);
  await atEachSize(WITH_ALL_BUTTONS, () => expectOnFirstScreen(page));
  await vote();
  await atEachSize(WITH_ALL_BUTTONS, async () => {
    await expect(countButton(page, 1)).toBeInViewport({ ratio: 0.99 });
    await expectOnFirstScreen(page);
  });
  await vote();
  await vote();
  await expectVisibleToPerson(tryOut(page).getByRole('list', { name: 'Your votes' }));
  const expectWhole = async (where: string) =>
    expect(await countButton(page, 3).evaluate(sightOf), where).toEqual(WHOLE);
  await atEachSize(EVERY, expectWhole);
  await hideBanner(page);
  await atEachSize(EVERY, (where) => expectWhole(`${where}, without the banner`));

  await pickWallet(page, countButton(page, 3));
  await press(walletDialog(page).getByRole('button', { name: 'Add account' }));
  const approve = walletDialog(page).getByRole('button', { name: 'Approve' });
  await expectActionInSight(approve, 'Approve');
  await press(approve);
  await expectVisibleToPerson(signInDialog(page).getByRole('combobox', { name: 'Account' }));
  await expectActionInSight(signInButton(page), 'Sign in with 3 votes and two accounts');
  await press(signInButton(page));
  await expectActionInSight(messageDialog(page).getByRole('button', { name: 'Sign' }), 'Sign');
});
