/** Measures in the page what a user sees: style, geometry, and the element under the pointer. */
import { expect, type Locator, type Page } from '@playwright/test';
import { DECORATION, waitForAnimations } from '../accessibility.ts';

export { waitForAnimations };

interface Sight {
  /** Product of the opacities from the element up to the document, to two decimals: 1 is fully there. */
  opacity: number;
  width: number;
  height: number;
  /** It is the main button of a dialog and part of what scrolls there: a small screen would not show it. */
  isInScroll: boolean;
  /** How far the box reaches over the nearest edge of the viewport; 0 when it is inside. */
  outsidePx: number;
  /** The element over the center; empty when it is the element itself. */
  coveredBy: string;
}

/**
 * Waits until nothing moves except decoration and placeholders, scrolls there, waits until the page keeps still, and looks. Runs in the
 * page as a whole: each step alone would be a round trip to the browser, four of them for each press.
 */
async function lookAt(
  found: Element,
  { patienceMs, decoration, isBrief }: { patienceMs: number; decoration: string; isBrief: boolean },
): Promise<Sight> {
  // A translated page and an isolated name have their words in elements of their own; a link covers them with its whole area.
  const element = found.closest(':not(font, bdi)') ?? found;
  const frame = () => new Promise(requestAnimationFrame);
  const endsAtMs = performance.now() + patienceMs;
  const isMoving = () =>
    document
      .getAnimations()
      .some(
        ({ playState, effect }) =>
          playState === 'running' &&
          effect?.getComputedTiming().iterations !== Infinity &&
          !(isBrief && effect instanceof KeyframeEffect && !effect.target?.contains(element)) &&
          !(effect instanceof KeyframeEffect && effect.target?.closest(decoration)),
      );
  while (isMoving() && performance.now() < endsAtMs) await frame();
  const goesOn = performance.now() >= endsAtMs;
  // Chromium's own, with which Playwright scrolls as well.
  (element as Element & { scrollIntoViewIfNeeded: () => void }).scrollIntoViewIfNeeded();
  for (let top = NaN; top !== element.getBoundingClientRect().top && performance.now() < endsAtMs; await frame())
    top = element.getBoundingClientRect().top;
  let opacity = 1;
  for (let at: Element | null = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    opacity *= style.visibility === 'hidden' || style.display === 'none' ? 0 : Number(style.opacity);
  }
  const box = element.getBoundingClientRect();
  // A link over two lines has its middle beside its words: the first line is what is pressed.
  const line = element.getClientRects()[0] ?? box;
  const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
  const scrolling = element.matches('button[type=submit], button.bg-accent, button.bg-bear')
    ? element.closest('[role="dialog"] .overflow-y-auto, dialog .overflow-y-auto')
    : null;
  const outside = [-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight];
  return {
    opacity: Math.round(opacity * 100) / 100,
    width: box.width,
    height: box.height,
    isInScroll: scrolling !== null,
    outsidePx: Math.max(0, ...outside),
    coveredBy: !element.isConnected
      ? 'nothing: it has left the page'
      : goesOn
        ? 'an animation that goes on'
        : element.contains(hit)
          ? ''
          : (hit?.outerHTML.slice(0, 120) ?? 'nothing at this point'),
  };
}

const PATIENCE_MS = 15_000;
/** A box that touches the edge by the fraction of a pixel is inside. */
const EDGE_PX = 1;
const SMALLEST_PX = 8;

/**
 * The element is fully opaque, large enough to be seen, inside the viewport (scrolled there first), and on top at its
 * center: a press there reaches it and nothing else. Taller or wider than the viewport is fine, as long as its center is on top.
 * What is brief would be over before everything else on the page has come to rest: only its own motion is waited for.
 */
export async function expectVisibleToPerson(locator: Locator, { isBrief = false } = {}): Promise<void> {
  await expect(locator).toBeVisible();
  const what = String(locator);
  const viewport = locator.page().viewportSize() ?? { width: Infinity, height: Infinity };
  let sight: Sight = {
    opacity: 0,
    width: 0,
    height: 0,
    isInScroll: false,
    outsidePx: Infinity,
    coveredBy: 'not looked at',
  };
  await expect
    .poll(
      async () => {
        // A page that is being replaced is looked at again.
        sight = await locator
          .evaluate(lookAt, { patienceMs: PATIENCE_MS, decoration: DECORATION, isBrief })
          .catch((error: unknown) => ({ ...sight, coveredBy: String(error) }));
        return sight;
      },
      { message: `${what} is opaque with all around it, and on top at its center` },
    )
    // Rows of the last search are dimmed until those of the new one are here.
    .toMatchObject({ coveredBy: '', opacity: 1, isInScroll: false });
  expect(Math.min(sight.width, sight.height), `size of ${what}`).toBeGreaterThanOrEqual(SMALLEST_PX);
  if (sight.width <= viewport.width && sight.height <= viewport.height)
    expect(sight.outsidePx, `${what} is inside the viewport`).toBeLessThanOrEqual(EDGE_PX);
}

type Range = [min: number, max: number];

export interface Watch {
  frames: number;
  left: Range;
  top: Range;
  width: Range;
  height: Range;
  opacity: Range;
  animations: string[];
  stayed: boolean;
}

export function watchGeometry(locator: Locator, ms: number): Promise<Watch> {
  return locator.evaluate(async (element, ms): Promise<Watch> => {
    const LEAST_FRAMES = 6;
    const none = (): Range => [Infinity, -Infinity];
    const watch = { frames: 0, left: none(), top: none(), width: none(), height: none(), opacity: none() };
    const animations = new Set<string>();
    const widen = (range: Range, value: number) => {
      range[0] = Math.min(range[0], value);
      range[1] = Math.max(range[1], value);
    };
    const endsAtMs = performance.now() + ms;
    // A machine under load draws few frames: it is watched until it has drawn enough to notice something that moves.
    while ((performance.now() < endsAtMs || watch.frames < LEAST_FRAMES) && element.isConnected) {
      await new Promise(requestAnimationFrame);
      const box = element.getBoundingClientRect();
      for (const side of ['left', 'top', 'width', 'height'] as const) widen(watch[side], box[side]);
      let opacity = 1;
      for (let at: Element | null = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      widen(watch.opacity, opacity);
      const { animationName } = getComputedStyle(element);
      if (animationName !== 'none') animations.add(animationName);
      watch.frames += 1;
    }
    return { ...watch, animations: [...animations], stayed: element.isConnected };
  }, ms);
}

export function expectAtRest(watch: Watch, what: string): void {
  expect(watch.frames, `frames in which ${what} was seen`).toBeGreaterThan(5);
  expect(watch.stayed, `${what} stays in the document`).toBe(true);
  expect(watch.animations, `CSS animations of ${what}`).toEqual([]);
  expect(watch.opacity[0], `lowest opacity of ${what}`).toBeGreaterThan(0.99);
  for (const side of ['left', 'top', 'width', 'height'] as const) {
    const [min, max] = watch[side];
    expect(max - min, `px by which the ${side} of ${what} changes`).toBeLessThanOrEqual(1);
  }
}

export function contrastOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (color: string): number[] => {
      if (!context) return [0, 0, 0, 0];
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    };
    const luminance = (color: readonly number[]) => {
      const [r = 0, g = 0, b = 0] = color.map((part) => {
        const share = part / 255;
        return share <= 0.039_28 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let behind = [255, 255, 255, 255];
    for (let at: Element | null = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if ((color[3] ?? 0) < 250) continue;
      behind = color;
      break;
    }
    const [one, other] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind)];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  });
}

/** Texts in the page's content that take up room but can hardly be seen, and pictures that could not be drawn. */
function defectsOf(main: Element): string[] {
  const defects: string[] = [];
  const opacityOf = (element: Element) => {
    let opacity = 1;
    for (let at: Element | null = element; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    return opacity;
  };
  for (const element of main.querySelectorAll('*')) {
    if (element.closest('[aria-hidden="true"], [inert], [hidden], svg')) continue;
    if (element instanceof HTMLImageElement && element.complete && element.naturalWidth === 0 && element.src !== '')
      defects.push(`broken picture ${element.src}`);
    const ownText = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim())
      .join('');
    const box = element.getBoundingClientRect();
    if (ownText === '' || box.width <= 1 || box.height <= 1) continue;
    if (opacityOf(element) < 0.4) defects.push(`invisible text "${ownText.slice(0, 60)}"`);
  }
  return defects;
}

export async function expectScreenAlive(page: Page, heading: string | RegExp): Promise<void> {
  const title = page.getByRole('heading', { level: 1, name: heading });
  await expectVisibleToPerson(title);
  // Polled: an element that is exchanged in this moment, as in a translated page, has no colors.
  await expect
    .poll(() => contrastOf(title), { message: `contrast of "${String(heading)}"` })
    .toBeGreaterThanOrEqual(4.5);
  await expectContentAlive(page);
}

/** The ring of an undo goes with its button, the wheel with the payment that it waits for. */
const WHILE_WAITING = new Set(['voting_ring', 'spin']);

/** The order of the style layers, the first one weakest, as the stylesheets of the page have made it. Runs in the page. */
function layersOf(): string[] {
  const names = [...document.styleSheets].flatMap((sheet) =>
    [...sheet.cssRules].flatMap((rule) =>
      rule instanceof CSSLayerBlockRule ? [rule.name] : rule instanceof CSSLayerStatementRule ? [...rule.nameList] : [],
    ),
  );
  return [...new Set(names)].filter((name) => ['theme', 'base', 'components', 'utilities'].includes(name));
}

export async function expectContentAlive(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.locator('.shimmer')).toHaveCount(0);
  await waitForAnimations(page);
  await expect.poll(() => main.evaluate(defectsOf)).toEqual([]);
  const { opacity, overflowPx, endless } = await main.evaluate((element) => {
    let product = 1;
    for (let at: Element | null = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      product *= style.visibility === 'hidden' || style.display === 'none' ? 0 : Number(style.opacity);
    }
    const { scrollWidth, clientWidth } = document.documentElement;
    const moving = element.getAnimations({ subtree: true });
    const endless = moving.filter(({ effect }) => effect?.getComputedTiming().iterations === Infinity);
    return {
      opacity: product,
      overflowPx: scrollWidth - clientWidth,
      endless: endless.map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'a script')),
    };
  });
  expect(
    endless.filter((name) => !WHILE_WAITING.has(name)),
    'animations of the content without an end',
  ).toEqual([]);
  expect(await page.evaluate(layersOf), 'layers of styles').toEqual(['theme', 'base', 'components', 'utilities']);
  expect(opacity, 'opacity of the content').toBe(1);
  expect(overflowPx, 'px by which the page scrolls sideways').toBeLessThanOrEqual(0);
  await expectVisibleToPerson(page.getByRole('banner').getByRole('link', { name: 'Snapswipe, home' }));
}
