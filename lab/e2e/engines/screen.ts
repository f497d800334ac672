/** The actions of a person on a screen: finds words, presses, drags. In terms of any browser. */
import { expect } from '@playwright/test';
import type { Browser } from './browser.ts';

const WAIT_MS = 60_000;

interface Place {
  x: number;
  y: number;
  height: number;
  text: string;
}

/**
 * Runs in the page, which keeps it as `window.lookFor`: the middle of the first element of `selector` whose name matches and that a person
 * can press there. Scrolls to it where it is off the screen. Null where there is none, or where it is still moving or being scrolled to.
 */
function lookFor(selector: string, name: string): Place | null {
  // Content is loading as long as its place shimmers; it moves everything below when it comes.
  if (document.querySelector('main .shimmer')) return null;
  const pattern = new RegExp(name);
  // The wallet's dialogs are in shadow roots of their own.
  const everywhere = (root: Document | ShadowRoot): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? everywhere(shadowRoot) : [])),
  ];
  const isMoving = (element: Element) =>
    document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === 'running' &&
          effect?.getComputedTiming().iterations !== Infinity &&
          effect instanceof KeyframeEffect &&
          effect.target?.contains(element),
      );
  for (const element of everywhere(document)) {
    const text = element.getAttribute('aria-label') ?? element.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
    if (!pattern.test(text) || element.closest('[inert]')) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(element).visibility === 'hidden') continue;
    if (box.top < 0 || box.bottom > Math.max(innerHeight, box.height)) {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      return null;
    }
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const seen = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
    if (seen && (element.contains(seen) || seen.contains(element)) && !isMoving(element))
      return { x, y, height: box.height, text };
  }
  return null;
}

/**
 * Runs in the page: resolves with the place once it has been the same twice, a moment apart; null where that does not come in time. One call
 * instead of many: what stays for five seconds would be over before a slow browser has been asked twice.
 */
async function waitFor(selector: string, name: string): Promise<Place | null> {
  const [STEP_MS, PATIENCE_MS] = [80, 4_000];
  const frame = () => new Promise(requestAnimationFrame);
  const endsAtMs = performance.now() + PATIENCE_MS;
  let before: Place | null = null;
  while (performance.now() < endsAtMs) {
    const place = lookFor(selector, name);
    if (place && before && place.x === before.x && place.y === before.y) return place;
    before = place;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    // A page that moves things in its frames has done so by then.
    await frame().then(frame);
  }
  return null;
}

/** Runs in the page: the names that an element has had, which may come and go between two looks. */
function takeNotes(selector: string): true {
  const notes = ((window as { notes?: Set<string> }).notes = new Set<string>());
  setInterval(() => {
    const text = document.querySelector(selector)?.textContent?.replaceAll(/\s+/g, ' ').trim();
    if (text) notes.add(text);
  }, 50);
  return true;
}

const call = (made: (...words: string[]) => unknown, ...words: string[]): string =>
  `(${String(made)})(${words.map((word) => JSON.stringify(word)).join(', ')})`;

export class Screen {
  readonly browser: Browser;
  constructor(browser: Browser) {
    this.browser = browser;
  }

  async open(url: string): Promise<void> {
    await this.browser.goto(url);
    await this.browser.evaluate(`(window.lookFor = ${String(lookFor)}) && true`);
  }

  async see(selector: string, name = ''): Promise<Place> {
    let place: Place | null = null;
    await expect
      .poll(
        async () => {
          place = await this.browser.evaluate<Place | null>(call(waitFor, selector, name));
          return place !== null;
        },
        { message: `${selector} "${name}" is on the screen`, timeout: WAIT_MS, intervals: [0] },
      )
      .toBe(true);
    return place as unknown as Place;
  }

  async press(selector: string, name = ''): Promise<void> {
    const { x, y } = await this.see(selector, name);
    await this.browser.mouse([
      { x, y },
      { x, y },
    ]);
  }

  button = (name: string): Promise<void> => this.press('button, [role="button"]', name);

  async gone(selector: string): Promise<void> {
    const isThere = `document.querySelector(${JSON.stringify(selector)}) !== null`;
    await expect.poll(() => this.browser.evaluate(isThere), { timeout: WAIT_MS, intervals: [100] }).toBe(false);
  }

  note = (selector: string): Promise<true> => this.browser.evaluate<true>(call(takeNotes, selector));

  clearNotes = (): Promise<null> => this.browser.evaluate<null>('(notes.clear(), null)');

  async noted(words: RegExp): Promise<void> {
    await expect
      .poll(() => this.browser.evaluate<string[]>('[...notes]'), { timeout: WAIT_MS, intervals: [100] })
      .toContainEqual(expect.stringMatching(words));
  }

  async drag(selector: string, byPx: number): Promise<void> {
    const { x, y, height } = await this.see(selector);
    const steps = Array.from({ length: 11 }, (_, step) => ({ x: x + (byPx * step) / 10, y: y - height / 4 }));
    await this.browser.mouse(steps);
  }

  async fill(selector: string, text: string): Promise<void> {
    await this.press(selector);
    await this.browser.type(text);
    const value = `document.querySelector(${JSON.stringify(selector)}).value`;
    await expect.poll(() => this.browser.evaluate<string>(value), { timeout: WAIT_MS }).toBe(text);
  }

  attribute(selector: string, name: string): Promise<string | null> {
    return this.browser.evaluate(
      `document.querySelector(${JSON.stringify(selector)})?.getAttribute(${JSON.stringify(name)}) ?? null`,
    );
  }

  async path(expected: RegExp): Promise<void> {
    await expect.poll(() => this.browser.evaluate<string>('location.pathname'), { timeout: WAIT_MS }).toMatch(expected);
  }
}
