// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attachSwipe } from './swipe.ts';
import { type Launch, stampOpacity, swipeVote, tilt } from './swipe-math.ts';
import { type VoteType } from './deck.ts';

const swiped = vi.fn<(vote: VoteType, launch: Launch) => boolean>();
let isFree = true;
let stack: HTMLElement;
let stop: () => void;
let atMs = 0;
const captured: number[] = [];

const find = (selector: string) => {
  const found = stack.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`No ${selector}`);
  return found;
};
const top = () => find('[data-depth="0"]');
const stampOf = (vote: VoteType) => find(`[data-stamp="${vote}"]`).style.opacity;

interface Pointer {
  x?: number;
  y?: number;
  id?: number;
  touch?: boolean;
  buttons?: number;
  button?: number;
  isPrimary?: boolean;
  target?: EventTarget;
}

function point(type: string, { x = 0, y = 0, id = 1, touch = false, target = top(), ...rest }: Pointer = {}): void {
  const event = new PointerEvent(type, {
    bubbles: true,
    cancelable: true,
    pointerId: id,
    isPrimary: true,
    button: 0,
    buttons: 1,
    clientX: x,
    clientY: y,
    pointerType: touch ? 'touch' : 'mouse',
    ...rest,
  });
  Object.defineProperty(event, 'timeStamp', { value: (atMs += 10) });
  target.dispatchEvent(event);
}
/** Presses at the card's middle of the screen and goes there in steps of ten. */
function drag(to: { x: number; y?: number }, { touch = false, low = false } = {}): void {
  const y = low ? 350 : 50;
  point('pointerdown', { y, touch });
  for (let step = 1; step <= 10; step += 1)
    point('pointermove', { x: (to.x * step) / 10, y: y + ((to.y ?? 0) * step) / 10, touch });
  vi.advanceTimersToNextFrame();
}
const release = (to: { x: number; y?: number }) => point('pointerup', { x: to.x, y: 50 + (to.y ?? 0), buttons: 0 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] });
  atMs = 1_000;
  isFree = true;
  captured.length = 0;
  swiped.mockReset().mockReturnValue(true);
  document.body.innerHTML = `<div id="stack">
    <article data-depth="0"><a href="#here">name</a><i data-stamp="bullish"></i><i data-stamp="bearish"></i></article>
    <article data-depth="1"></article><article data-depth="2"></article></div>`;
  stack = document.body.firstElementChild as HTMLElement;
  for (const card of stack.children) {
    (card as HTMLElement).setPointerCapture = (id) => void captured.push(id);
    card.getBoundingClientRect = () => new DOMRect(0, 0, 300, 400);
  }
  stop = attachSwipe(stack, { onSwipe: swiped, canVote: () => isFree });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

test('a release beyond 100 px votes bullish to the right and bearish to the left [S5.2 S9.3]', () => {
  for (const [x, vote] of [
    [101, 'bullish'],
    [-101, 'bearish'],
    [100, null],
    [-100, null],
  ] as const) {
    swiped.mockClear();
    drag({ x });
    release({ x });
    expect(swiped.mock.calls.map(([given]) => given)).toEqual(vote === null ? [] : [vote]);
  }
});

test('a canceled gesture, a lost button and a removed card cast no vote [S5.2 S9.3]', () => {
  drag({ x: 200 });
  point('pointercancel', { x: 200 });
  expect(top().getAttribute('style')).toBeNull();
  drag({ x: 200 });
  point('pointermove', { x: 200, buttons: 0 });
  expect(stack.dataset['dragging']).toBeUndefined();
  drag({ x: 200 });
  const gone = top();
  gone.remove();
  point('pointermove', { x: 210, target: stack });
  point('pointerup', { x: 210, target: stack });
  expect(swiped).not.toHaveBeenCalled();
});

test('the card resists a drag and casts nothing while voting is not possible [S5.2 S9.3]', () => {
  isFree = false;
  drag({ x: 400 });
  expect(top().style.transform).toContain('translate3d(120.0px,');
  expect(stampOf('bullish')).toBe('0');
  expect(find('[data-depth="1"]').getAttribute('style')).toBeNull();
  release({ x: 400 });
  expect(swiped).not.toHaveBeenCalled();
  expect(top().getAttribute('style')).toBeNull();
});

test('a movement of five pixels is a press, and one of six starts a drag', () => {
  drag({ x: 5 });
  expect(captured).toEqual([]);
  expect(stack.dataset['dragging']).toBeUndefined();
  release({ x: 5 });
  drag({ x: 6 });
  expect(captured).toEqual([1]);
  point('pointercancel');
  drag({ x: 0, y: 6 });
  expect(captured).toEqual([1, 1]);
});

test('a vertical movement of a finger scrolls the page', () => {
  drag({ x: 5, y: 200 }, { touch: true });
  expect(captured).toEqual([]);
  point('pointercancel', { touch: true });
  drag({ x: 8, y: 200 }, { touch: true });
  expect(captured).toEqual([1]);
});

test('another button, a second finger, a lower card and a card of another stack start no drag', () => {
  const other = document.createElement('div');
  other.innerHTML = '<article data-depth="0"></article>';
  stack.append(other);
  point('pointerdown', { target: other.firstElementChild ?? other });
  point('pointermove', { x: 200 });
  point('pointerdown', { button: 2 });
  point('pointermove', { x: 200 });
  point('pointerdown', { isPrimary: false });
  point('pointermove', { x: 200 });
  point('pointerdown', { target: find('[data-depth="1"]') });
  point('pointermove', { x: 200 });
  expect(captured).toEqual([]);
  drag({ x: 150 });
  point('pointerdown', { id: 2 });
  point('pointermove', { id: 2, x: -300 });
  point('pointerup', { id: 2, x: -300 });
  expect(swiped).not.toHaveBeenCalled();
  release({ x: 150 });
  expect(swiped.mock.calls.map(([vote]) => vote)).toEqual(['bullish']);
});

test('a second finger anywhere on the screen ends a drag without a vote', () => {
  drag({ x: 150 }, { touch: true });
  point('pointerdown', { id: 2, touch: true, isPrimary: false, target: document.body });
  expect(top().getAttribute('style')).toBeNull();
  point('pointermove', { x: 300, touch: true });
  point('pointerup', { x: 300, touch: true, buttons: 0 });
  point('pointerup', { id: 2, x: -300, touch: true, isPrimary: false, buttons: 0 });
  expect(swiped).not.toHaveBeenCalled();
});

test('a finger moves an enlarged page, not the card', () => {
  vi.stubGlobal('visualViewport', Object.assign(new EventTarget(), { scale: 1 }));
  stop();
  stop = attachSwipe(stack, { onSwipe: swiped, canVote: () => isFree });
  Object.assign(visualViewport ?? {}, { scale: 2 });
  visualViewport?.dispatchEvent(new Event('resize'));
  expect(stack.hasAttribute('data-zoomed')).toBe(true);
  drag({ x: 200 }, { touch: true });
  release({ x: 200 });
  expect(swiped).not.toHaveBeenCalled();
  Object.assign(visualViewport ?? {}, { scale: 1 });
  visualViewport?.dispatchEvent(new Event('resize'));
  expect(stack.hasAttribute('data-zoomed')).toBe(false);
});

test('the click after a drag is suppressed, and the next one is not', () => {
  const click = () => find('a').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  const seen = vi.fn<() => void>();
  document.body.addEventListener('click', seen);
  drag({ x: 40 });
  release({ x: 40 });
  expect(click()).toBe(false);
  expect(seen).not.toHaveBeenCalled();
  expect(click()).toBe(true);
  seen.mockClear();
  drag({ x: 40 });
  release({ x: 40 });
  vi.advanceTimersByTime(1);
  expect(click()).toBe(true);
  point('pointerdown');
  release({ x: 0 });
  expect(click()).toBe(true);
  expect(seen).toHaveBeenCalledTimes(2);
  document.body.removeEventListener('click', seen);
});

test.each([
  [100.5, 'bullish'],
  [101, 'bullish'],
  [-100.5, 'bearish'],
  [-640, 'bearish'],
  [100, null],
  [-100, null],
  [0, null],
] as const)('a release at %d px means %s [S2.12 S5.2 S9.3]', (dx, vote) => {
  expect(swipeVote(dx)).toBe(vote);
});

test.each([
  ['back', 160, -0.3, null],
  ['back', -160, 0.3, null],
  ['slowly back', 160, -0.29, 'bullish'],
  ['further out', -160, -2, 'bearish'],
] as const)('a card that is thrown %s from %d px at %d px/ms means %s [S2.12 S5.2 R59]', (_way, dx, speed, vote) => {
  expect(swipeVote(dx, speed)).toBe(vote);
});

test('a card that is thrown back towards the middle springs back, and one that is held there votes [S5.2]', () => {
  const dragOutAndBack = () => {
    drag({ x: 180 });
    atMs += 100;
    for (const x of [165, 150, 135]) point('pointermove', { x });
  };
  dragOutAndBack();
  release({ x: 120 });
  expect(swiped).not.toHaveBeenCalled();
  expect(top().getAttribute('style')).toBeNull();
  dragOutAndBack();
  atMs += 200;
  release({ x: 135 });
  expect(swiped.mock.calls.map(([vote]) => vote)).toEqual(['bullish']);
});

test('a phone ticks once where a release would vote, and never without motion or a press before', () => {
  const vibrate = vi.fn<(ms: number) => boolean>();
  const activation = { hasBeenActive: false };
  Object.assign(navigator, { vibrate, userActivation: activation });
  const dragAndStop = (x: number) => {
    drag({ x });
    point('pointercancel', { x });
  };
  dragAndStop(200);
  activation.hasBeenActive = true;
  dragAndStop(99);
  expect(vibrate).not.toHaveBeenCalled();
  dragAndStop(200);
  expect(vibrate.mock.calls).toEqual([[8]]);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  dragAndStop(200);
  expect(vibrate).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

test('a fast but short swipe casts no vote [S5.2]', () => {
  expect(swipeVote(40)).toBeNull();
});

test('stamps fade in with the distance, equally on both sides', () => {
  expect([0, 24, 62, 100, 300].map(stampOpacity)).toEqual([0, 0, 0.5, 1, 1]);
  expect(stampOpacity(-62)).toBe(0.5);
});

test('a card tilts with the drag, in reverse when gripped low, within limits', () => {
  expect(tilt(100, false)).toBeCloseTo(5.5);
  expect(tilt(100, true)).toBeCloseTo(-5.5);
  expect(tilt(-5000, false)).toBe(-16);
});
