/** The deck as a user sees it: which project is on top, how the cards lie, and what follows the finger. */
import type { Locator, Page } from '@playwright/test';
import type pg from 'pg';
import { byFinger, deckOf, expect, press, topCard } from './door.ts';
import {
  contrastOf,
  expectAtRest,
  expectContentAlive,
  expectVisibleToPerson,
  waitForAnimations,
  watchGeometry,
} from './see.ts';

export const voteButton = (page: Page, name: 'Bullish' | 'Bearish'): Locator =>
  deckOf(page).getByRole('button', { name, exact: true });

export interface Card {
  id: string;
  name: string;
}

async function cardsSeenWithin(stack: Element, ms: number): Promise<Card[][]> {
  const cardsSeen = (): Card[] => {
    const cards = [...stack.querySelectorAll('[data-project]')].map((card) => {
      let opacity = 1;
      for (let at: Element | null = card; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      const heading = card.querySelector('h2');
      const text = heading?.querySelector('[title]') ?? heading;
      const box = text?.getBoundingClientRect() ?? new DOMRect();
      return {
        id: card.getAttribute('data-project') ?? '',
        name: text?.textContent ?? '',
        x: box.left + box.width / 2,
        y: box.top + box.height / 2,
        layer: Number(getComputedStyle(card).zIndex) || 0,
        isSeen: opacity > 0.5,
        isGoing: card.hasAttribute('data-leaving'),
        box: card.getBoundingClientRect(),
      };
    });
    return cards
      .filter(({ name, isSeen, isGoing }) => name !== '' && isSeen && !isGoing)
      .filter(
        (card) =>
          !cards.some(
            (other) =>
              other.layer > card.layer &&
              other.isSeen &&
              card.x > other.box.left &&
              card.x < other.box.right &&
              card.y > other.box.top &&
              card.y < other.box.bottom,
          ),
      )
      .map(({ id, name }) => ({ id, name }));
  };
  // By id: another journey may rename a listing while it is looked at.
  const seen = new Map<string, Card[]>();
  const endsAtMs = performance.now() + ms;
  do {
    const shown = cardsSeen();
    seen.set(shown.map(({ id }) => id).join(), shown);
    await new Promise(requestAnimationFrame);
  } while (performance.now() < endsAtMs);
  return [...seen.values()];
}

const STACK_PX = 416;
const STACK_SHARE = 0.85;

const stackOf = (card: Locator): Locator => card.locator('xpath=..');

export async function projectSeen(page: Page, card = topCard(page)): Promise<Card> {
  let seen: Card[] = [];
  const look = async (): Promise<number> => {
    [seen = []] = await stackOf(card).evaluate(cardsSeenWithin, 0);
    return seen.length;
  };
  await expect.poll(look, { message: 'projects that can be read on the deck' }).toBeGreaterThan(0);
  expect(seen, 'projects that can be read on the deck').toHaveLength(1);
  return seen[0] ?? { id: '', name: '' };
}

async function projectsSeenWithin(page: Page, ms: number): Promise<string[]> {
  const seen = await stackOf(topCard(page)).evaluate(cardsSeenWithin, ms);
  return seen.map((shown) => shown.map(({ name }) => name).join(' and ') || 'none at all');
}

export const expectOnTop = (page: Page, { id }: Card): Promise<void> =>
  expect(topCard(page)).toHaveAttribute('data-project', id);

export const expectGone = (page: Page, { id }: Card): Promise<void> =>
  expect(topCard(page)).not.toHaveAttribute('data-project', id);

async function expectTopCardInPlace(page: Page): Promise<void> {
  const card = topCard(page);
  await expect(card).toBeVisible();
  await waitForAnimations(page);
  expect(await card.evaluate((element) => getComputedStyle(element).animationName), 'animation of the card').toBe(
    'none',
  );
  const [cardBox, stackBox] = [await card.boundingBox(), await stackOf(card).boundingBox()];
  expect(stackBox?.width, 'width of the stack').toBeGreaterThanOrEqual(
    Math.min(STACK_PX, STACK_SHARE * (page.viewportSize()?.width ?? 0)),
  );
  for (const side of ['x', 'y', 'width', 'height'] as const)
    expect(cardBox?.[side], `${side} of the card is the stack's`).toBeCloseTo(stackBox?.[side] ?? NaN, 0);
  const name = card.getByRole('heading', { level: 2 });
  await expectVisibleToPerson(name);
  expect(await contrastOf(name), "contrast of the project's name").toBeGreaterThanOrEqual(4.5);
  await expectVisibleToPerson(card);
  for (const button of ['Bullish', 'Bearish'] as const) await expectVisibleToPerson(voteButton(page, button));
  await expectVisibleToPerson(deckOf(page).getByRole('button', { name: /Skip/ }));
}

async function expectStack(page: Page): Promise<void> {
  const boxes = await Promise.all(
    [0, 1, 2].map((depth) => deckOf(page).locator(`[data-depth="${depth}"]`).boundingBox()),
  );
  const bottomOf = (depth: number) => (boxes[depth]?.y ?? NaN) + (boxes[depth]?.height ?? NaN);
  const widthOf = (depth: number) => boxes[depth]?.width ?? NaN;
  for (const depth of [1, 2]) {
    expect(bottomOf(depth), `card ${depth} looks out below`).toBeGreaterThan(bottomOf(depth - 1) + 2);
    expect(widthOf(depth), `card ${depth} is smaller`).toBeLessThan(widthOf(depth - 1) + 12);
  }
}

export async function expectDeckAlive(page: Page, ms: number): Promise<void> {
  await expect(topCard(page)).toBeVisible();
  await waitForAnimations(page);
  const [watch, names] = await Promise.all([watchGeometry(topCard(page), ms), projectsSeenWithin(page, ms)]);
  expect.soft(names, `projects that could be read within ${ms} ms`).toHaveLength(1);
  expectAtRest(watch, 'the card on top');
  await expectTopCardInPlace(page);
  await expectStack(page);
  await expectContentAlive(page);
}

interface Pointer {
  down: (x: number, y: number) => Promise<void>;
  move: (x: number, y: number) => Promise<void>;
  up: () => Promise<void>;
}

async function pointerOf(page: Page): Promise<Pointer> {
  if (!byFinger()) {
    const { mouse } = page;
    return {
      down: async (x, y) => {
        await mouse.move(x, y);
        await mouse.down();
      },
      move: (x, y) => mouse.move(x, y),
      up: () => mouse.up(),
    };
  }
  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints }).then(() => undefined);
  return {
    down: (x, y) => touch('touchStart', [{ x, y }]),
    move: (x, y) => touch('touchMove', [{ x, y }]),
    up: () => touch('touchEnd', []),
  };
}

/** The distance that a finger may move before the card follows it (the slop), plus rounding and tilt. */
const FOLLOW_TOLERANCE_PX = 12;

const centerOf = (card: Locator): Promise<number> =>
  card.evaluate(async (element) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const box = element.getBoundingClientRect();
    return box.left + box.width / 2;
  });

/**
 * Drags the top card sideways by `distancePx` in steps and lets go; on its whole way the card stays under the finger.
 * Beyond 100 px it is a vote.
 */
export async function swipe(page: Page, distancePx: number, card = topCard(page)): Promise<void> {
  await waitForAnimations(page);
  const id = await card.getAttribute('data-project');
  const held = id === null ? card : page.locator(`[data-project="${id}"]`);
  await expectVisibleToPerson(card);
  const box = await card.boundingBox();
  if (!box) throw new Error('no card to swipe');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 3];
  const startsAt = await centerOf(held);
  const pointer = await pointerOf(page);
  await pointer.down(x, y);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    await pointer.move(x + distancePx * part, y);
    const followed = (await centerOf(held)) - startsAt;
    expect(
      Math.abs(followed - distancePx * part),
      `px between the card and the finger after ${distancePx * part} px`,
    ).toBeLessThanOrEqual(FOLLOW_TOLERANCE_PX);
  }
  await pointer.up();
}

interface StoredVote {
  id: string;
  /** All that the listing has had, the present one last: another journey may have renamed it since its card was dealt. */
  names: string[];
  bullish: boolean;
}

export async function namesOf(database: pg.Pool, id: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>('SELECT name FROM listing_versions WHERE project_id = $1', [
    id,
  ]);
  return rows.map(({ name }) => name);
}

export const voteOn = ({ id, name }: Card, direction: Direction): StoredVote => ({
  id,
  names: expect.arrayContaining([name]) as unknown as string[],
  bullish: direction === 'bullish',
});

export async function storedVotes(database: pg.Pool, wallet: string): Promise<StoredVote[]> {
  const { rows } = await database.query<StoredVote>(
    `SELECT project_id::text AS id, bullish,
       (SELECT array_agg(name ORDER BY number) FROM listing_versions WHERE listing_versions.project_id = votes.project_id) AS names
     FROM votes JOIN users ON users.id = user_id
     WHERE wallet_address = $1 ORDER BY votes.created_at, project_id`,
    [wallet],
  );
  return rows;
}

interface Reward {
  opacity: number;
  offset: { x: number; y: number };
  isGone: boolean;
}

const REWARD_PATIENCE_MS = 20_000;

function watchReward(page: Page): Promise<Reward> {
  return page.evaluate(async (patienceMs): Promise<Reward> => {
    const reward: Reward = { opacity: 0, offset: { x: Infinity, y: Infinity }, isGone: false };
    const endsAtMs = performance.now() + patienceMs;
    while (performance.now() < endsAtMs && !reward.isGone) {
      await new Promise(requestAnimationFrame);
      const popup = [...document.querySelectorAll('p')].find(({ textContent }) => textContent === '+10 TOKENS');
      let opacity = popup ? 1 : 0;
      for (let at: Element | null = popup ?? null; at; at = at.parentElement)
        opacity *= Number(getComputedStyle(at).opacity);
      if (popup && opacity > 0.5) {
        const box = popup.getBoundingClientRect();
        reward.offset.x = Math.min(reward.offset.x, Math.abs(box.left + box.width / 2 - innerWidth / 2));
        reward.offset.y = Math.min(reward.offset.y, Math.abs(box.top + box.height / 2 - innerHeight / 2));
      }
      reward.isGone = popup === undefined && reward.opacity > 0;
      reward.opacity = Math.max(reward.opacity, opacity);
    }
    return reward;
  }, REWARD_PATIENCE_MS);
}

async function expectReward(reward: Promise<Reward>): Promise<void> {
  const { opacity, offset, isGone } = await reward;
  expect(opacity, 'opacity of the reward').toBeGreaterThan(0.95);
  expect(isGone, 'the reward goes by itself').toBe(true);
  expect(offset.x, 'px from the center of the screen').toBeLessThanOrEqual(4);
  expect(offset.y, 'px from the center of the screen').toBeLessThanOrEqual(24);
}

type Direction = 'bullish' | 'bearish';

export async function voteAsPerson(
  page: Page,
  database: pg.Pool,
  wallet: string,
  { direction, by, seesReward = false }: { direction: Direction; by: 'button' | 'swipe'; seesReward?: boolean },
): Promise<void> {
  await waitForAnimations(page);
  const before = await storedVotes(database, wallet);
  const project = await projectSeen(page);
  const reward = seesReward ? watchReward(page) : null;
  if (by === 'button') await press(voteButton(page, direction === 'bullish' ? 'Bullish' : 'Bearish'));
  else await swipe(page, direction === 'bullish' ? 170 : -170);
  await expect.poll(() => storedVotes(database, wallet)).toHaveLength(before.length + 1);
  const after = await storedVotes(database, wallet);
  expect(after.at(-1), 'the vote that was stored').toEqual(voteOn(project, direction));
  await expectGone(page, project);
  await expectVisibleToPerson(
    page.getByRole('banner').getByRole('link', { name: `${after.length * 10} Snaps`, exact: true }),
  );
  if (reward) await expectReward(reward);
}
