/** The actions of a person on a screen: finds words, presses, drags. In terms of any browser. */
import { expect } from '@playwright/test';
import type { Browser } from './browser.ts';

/** Only what is broken takes so long; a browser beside others takes its time. */
const WAIT_MS = 60_000;

interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
}

/**
 * Runs in the page: the middle of the first element of `selector` whose name matches and that a person can press there; scrolls to it where
 * it is off the screen. Null where there is none.
 */
function findInPage(selector: string, name: string): Place | null {
  const pattern = new RegExp(name);
  // The wallet's dialogs are in shadow roots of their own.
  const everywhere = (root: Document | ShadowRoot): Element[] => [
    ...root.querySelectorAll(selector),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? everywhere(shadowRoot) : [])),
  ];
  for (const element of everywhere(document)) {
    const label = element.getAttribute('aria-label') ?? element.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
    if (!pattern.test(label) || element.closest('[inert]')) continue;
    let box = element.getBoundingClientRect();
    if (box.width === 0 || getComputedStyle(element).visibility === 'hidden') continue;
    if (box.top < 0 || box.bottom > innerHeight) {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      box = element.getBoundingClientRect();
    }
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const seen = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
    if (seen && (element.contains(seen) || seen.contains(element)))
      return { x, y, width: box.width, height: box.height, text: label };
  }
  return null;
}

export class Screen {
  readonly browser: Browser;
  constructor(browser: Browser) {
    this.browser = browser;
  }

  find(selector: string, name = ''): Promise<Place | null> {
    return this.browser.evaluate(`(${String(findInPage)})(${JSON.stringify(selector)}, ${JSON.stringify(name)})`);
  }

  /** Waits until it can be seen and does not move. */
  async see(selector: string, name = ''): Promise<Place> {
    let before: Place | null = null;
    let place: Place | null = null;
    await expect
      .poll(
        async () => {
          before = place;
          place = await this.find(selector, name);
          return place !== null && before?.x === place.x && before.y === place.y;
        },
        { message: `${selector} "${name}" is on the screen`, timeout: WAIT_MS, intervals: [100] },
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

  /** Presses a button by its name. */
  button = (name: string): Promise<void> => this.press('button, [role="button"]', name);
  /** Follows a link by its name. */
  link = (name: string): Promise<void> => this.press('a', name);

  async gone(selector: string, name = ''): Promise<void> {
    await expect.poll(() => this.find(selector, name), { timeout: WAIT_MS, intervals: [100] }).toBeNull();
  }

  /** Drags what is at the selector sideways, in steps. */
  async drag(selector: string, byPx: number): Promise<void> {
    const { x, y, height } = await this.see(selector);
    const steps = Array.from({ length: 11 }, (_, step) => ({ x: x + (byPx * step) / 10, y: y - height / 4 }));
    await this.browser.mouse(steps);
  }

  async fill(selector: string, text: string): Promise<void> {
    await this.press(selector);
    await this.browser.type(text);
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
