/** Content that does not fit on the screen: horizontal scrolling, and text that is cut off without a way to read it. */
import { expect, type Locator, type Page } from '@playwright/test';
import { waitForAnimations } from './accessibility.ts';

function cutTexts(): string[] {
  const found: string[] = [];
  /** Text may exceed the edge of its box by the rounding of a glyph. */
  const SLACK_PX = 1.5;

  const isShown = (element: Element): boolean => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    if (element.closest('[inert], [aria-hidden="true"], [data-leaving], .sr-only')) return false;
    // For screen readers only: a box of one pixel.
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflow === 'hidden' && at.clientWidth <= 1) return false;
    return true;
  };

  /** Cut on purpose: dots are shown, and the whole text is in a title of the element or of its container. */
  const isShortened = (element: Element, text: string): boolean => {
    const style = getComputedStyle(element);
    const hasDots =
      style.textOverflow === 'ellipsis' || (style.getPropertyValue('-webkit-line-clamp') || 'none') !== 'none';
    const title = element.closest('[title]')?.getAttribute('title') ?? '';
    const plain = (words: string) => words.replaceAll(/\s+/g, ' ').trim();
    return hasDots && text.split('...').every((part) => plain(title).includes(plain(part)));
  };

  /** The element that cuts off a part of the box, null when all of it is seen or can be scrolled to. */
  function cutBy(box: DOMRect, start: Element): Element | null {
    for (let at: Element | null = start; at && at !== document.documentElement; at = at.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(at);
      const edge = at.getBoundingClientRect();
      const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
      if (scrolls(overflowX)) return null;
      if (overflowX !== 'visible' && (box.left < edge.left - SLACK_PX || box.right > edge.right + SLACK_PX)) return at;
      if (overflowY !== 'visible' && !scrolls(overflowY) && at.tagName !== 'MAIN') {
        if (box.top < edge.top - 3 || box.bottom > edge.bottom + 3) return at;
      }
      if (position === 'fixed') break;
    }
    const { clientWidth } = document.documentElement;
    return box.left < -SLACK_PX || box.right > clientWidth + SLACK_PX ? document.documentElement : null;
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.textContent?.trim() ?? '';
    const element = node.parentElement;
    if (text === '' || !element || /^(SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(element.tagName) || !isShown(element))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width === 0) continue;
      const by = cutBy(box, element);
      if (!by || isShortened(by, text)) continue;
      found.push(
        `"${text.slice(0, 60)}" is cut off by <${by.tagName.toLowerCase()} class="${by.getAttribute('class')?.slice(0, 80) ?? ''}">`,
      );
      break;
    }
  }
  // Boxes of controls and pictures that reach out of their panel without being cut.
  for (const control of document.querySelectorAll('a, button, input, textarea, select')) {
    const panel = control.closest('.panel, [role=dialog], [role=menu]');
    if (!panel || !isShown(control)) continue;
    const [box, edge] = [control.getBoundingClientRect(), panel.getBoundingClientRect()];
    if (box.width > 0 && (box.left < edge.left - SLACK_PX || box.right > edge.right + SLACK_PX))
      found.push(`"${control.textContent.trim().slice(0, 60)}" reaches out of its panel`);
  }
  return [...new Set(found)];
}

export async function expectFits(page: Page, where: string): Promise<void> {
  await waitForAnimations(page);
  const overflowPx = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect.soft(overflowPx, `horizontal scrolling: ${where}`).toBeLessThanOrEqual(0);
  expect.soft(await page.evaluate(cutTexts), where).toEqual([]);
}

export type Size = readonly [width: number, height: number];

export async function expectFitsAtEach(page: Page, what: string, sizes: readonly Size[]): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expectFits(page, `${what} at ${width} × ${height}`);
  }
  if (before) await page.setViewportSize(before);
}

/** Phones, one of them on its side, and laptops below the bars of a browser. */
export const SCREENS: readonly Size[] = [
  [320, 568],
  [360, 640],
  [390, 664],
  [844, 390],
  [1280, 593],
  [1366, 657],
];

function sightOf(button: Element) {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const dialog = button.closest('[role="dialog"], dialog');
  const scrolling = [...(dialog?.querySelectorAll('*') ?? [])].filter(
    (element) => element.tagName !== 'TEXTAREA' && /auto|scroll/.test(getComputedStyle(element).overflowY),
  );
  return {
    isWhole: left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight,
    isHit: button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)),
    isInScroll: scrolling.some((one) => one.contains(button)),
    areasWithin: scrolling.filter((one) => scrolling.some((other) => other !== one && other.contains(one))).length,
    scrolledPx: scrolling.reduce((sum, { scrollTop }) => sum + scrollTop, 0),
  };
}

const IN_SIGHT = { isWhole: true, isHit: true, isInScroll: false, areasWithin: 0, scrolledPx: 0 };

/** The button of a dialog at all sizes, as it is before anything scrolls; a click would scroll to it. */
export async function expectActionInSight(action: Locator, what: string, sizes = SCREENS): Promise<void> {
  const page = action.page();
  const before = page.viewportSize();
  await expect(action).toBeVisible();
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await waitForAnimations(page);
    expect.soft(await action.evaluate(sightOf), `${what} at ${width} × ${height}`).toEqual(IN_SIGHT);
  }
  if (before) await page.setViewportSize(before);
}
