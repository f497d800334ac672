import { type CDPSession, chromium as driver, type Page } from '@playwright/test';
import { VOTES_PER_WINDOW } from '#shared/constants.ts';
import { newSessionCookie } from './sign-in.ts';

/** A sideways path that is long enough for a vote, in the time of a quick swipe. */
const DISTANCE_PX = 190;
const MOVES = 10;
const MOVE_EVERY_MS = 16;
/** Covers the flight, the response, the pop-up and the reads after it. */
const WATCHED_AFTER_MS = 1_000;
const NEXT_CARD_TIMEOUT_MS = 10_000;
/** Below the limit of a window, so that the last swipes of a user are like the others. */
const SWIPES_PER_USER = Math.floor(VOTES_PER_WINDOW * 0.6);
/** The slowdown of the measured processor, compared with the machine's. */
const SLOWDOWN = 4;
/** A frame that comes later than this after the previous one is visible as a jerk. */
const SLOW_FRAME_MS = 50;
/** Three frames of a screen with 60 a second are 50 ms; their timestamps are off by some hundredths. */
const ROUNDING_MS = 0.5;

const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false },
} as const;
export type Screen = keyof typeof SCREENS;

export interface SwipeOptions {
  /** A running product with its demo data. */
  origin: string;
  chromium: string;
  screen: Screen;
  swipes: number;
}

export interface SwipeFrames extends Pick<SwipeOptions, 'screen' | 'swipes'> {
  frames: number;
  /** Number of late frames; the goal is 0. */
  slow: number;
  worstMs: number;
}

/** In the page: records the time of each frame after the previous one, while `frameWatch.isOn`. */
const WATCH_FRAMES = `
  const watch = (window.frameWatch = { gapsMs: [], isOn: false });
  let lastMs = 0;
  const note = (nowMs) => {
    if (watch.isOn && lastMs > 0) watch.gapsMs.push(nowMs - lastMs);
    lastMs = watch.isOn ? nowMs : 0;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);`;

/** Down, sideways in steps, up: with a finger or with the mouse. */
async function swipeBy(input: CDPSession, screen: Screen, from: { x: number; y: number }, way: number): Promise<void> {
  const isTouch = SCREENS[screen].hasTouch;
  const send = (phase: 'start' | 'move' | 'end', x: number) => {
    const point = { x, y: from.y };
    if (isTouch) {
      const type = ({ start: 'touchStart', move: 'touchMove', end: 'touchEnd' } as const)[phase];
      return input.send('Input.dispatchTouchEvent', { type, touchPoints: phase === 'end' ? [] : [point] });
    }
    const type = ({ start: 'mousePressed', move: 'mouseMoved', end: 'mouseReleased' } as const)[phase];
    const button = { button: 'left', buttons: phase === 'end' ? 0 : 1, clickCount: 1 } as const;
    return input.send('Input.dispatchMouseEvent', { type, ...point, ...button });
  };
  await send('start', from.x);
  for (let move = 1; move <= MOVES; move += 1) {
    await send('move', from.x + (way * move) / MOVES);
    await new Promise((resolve) => setTimeout(resolve, MOVE_EVERY_MS));
  }
  await send('end', from.x + way);
}

async function vote(page: Page, input: CDPSession, screen: Screen, way: number): Promise<void> {
  const card = page.locator('[data-depth="0"]');
  const before = await card.getAttribute('data-project');
  const box = await card.boundingBox();
  if (!box) throw new Error('There is no card to swipe.');
  await page.evaluate('frameWatch.isOn = true');
  await swipeBy(input, screen, { x: box.x + box.width / 2, y: box.y + box.height / 3 }, way);
  await page.waitForTimeout(WATCHED_AFTER_MS);
  await page.evaluate('frameWatch.isOn = false');
  // A busy machine draws the next card late.
  const hasNext = `document.querySelector('[data-depth="0"]')?.dataset.project !== '${before}'`;
  await page.waitForFunction(hasNext, undefined, { timeout: NEXT_CARD_TIMEOUT_MS }).catch(() => {
    throw new Error('A swipe was no vote.');
  });
}

/** The frames of one new user's swipes, in a new browser. */
async function gapsOf({ origin, chromium, screen, swipes }: SwipeOptions): Promise<number[]> {
  const [name = '', value = ''] = (await newSessionCookie(origin)).split('=');
  const browser = await driver.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const context = await browser.newContext({ ...SCREENS[screen], reducedMotion: 'no-preference' });
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }]);
    await context.addInitScript({ content: WATCH_FRAMES });
    const page = await context.newPage();
    await page.goto(origin, { waitUntil: 'networkidle' });
    await page.locator('[data-depth="0"]').waitFor();
    const input = await context.newCDPSession(page);
    await input.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    let isSummaryClosed = false;
    for (let done = 0; done < swipes; done += 1) {
      await vote(page, input, screen, done % 2 ? -DISTANCE_PX : DISTANCE_PX);
      // After the last card of the day its summary covers the deck (R49), which may take a while on a slow processor.
      if (isSummaryClosed || (await page.locator('[data-spot="open"]').count()) > 0) continue;
      await page.getByRole('button', { name: 'Keep swiping' }).click();
      isSummaryClosed = true;
    }
    return await page.evaluate<number[]>('frameWatch.gapsMs');
  } finally {
    await browser.close();
  }
}

/** Votes by swiping, and counts the frames from each touch to a second after the release. */
export async function measureSwipes(options: SwipeOptions): Promise<SwipeFrames> {
  const gapsMs: number[] = [];
  for (let left = options.swipes; left > 0; left -= SWIPES_PER_USER)
    gapsMs.push(...(await gapsOf({ ...options, swipes: Math.min(left, SWIPES_PER_USER) })));
  return {
    screen: options.screen,
    swipes: options.swipes,
    frames: gapsMs.length,
    slow: gapsMs.filter((gapMs) => gapMs >= SLOW_FRAME_MS + ROUNDING_MS).length,
    worstMs: Math.round(Math.max(0, ...gapsMs)),
  };
}

/** 'phone, 30 swipes at 4× slowdown: 0 of 2463 frames over 50 ms, the worst 17 ms' */
export const swipeLine = ({ screen, swipes, frames, slow, worstMs }: SwipeFrames): string =>
  `${screen}, ${swipes} swipes at ${SLOWDOWN}× slowdown: ${slow}${slow > 0 ? '!' : ''} of ${frames} frames over ${SLOW_FRAME_MS} ms, the worst ${worstMs} ms`;
