// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/queries.ts';
import { keepPlaces } from './scroll-place.ts';

/** Height of the page now, which limits how far it can be scrolled. */
let room = 10_000;
let y = 0;
const scrolled: number[] = [];

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame', 'performance'],
  });
  room = 10_000;
  y = 0;
  scrolled.length = 0;
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => y);
  window.scrollTo = ((options: ScrollToOptions) => {
    y = Math.min(room, options.top ?? 0);
    scrolled.push(y);
  }) as typeof window.scrollTo;
  history.replaceState({}, '');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
// A reload restores the place; the wheel event ends that.
const reloadedTo: ScrollToOptions[] = [];
window.scrollTo = ((options: ScrollToOptions) => reloadedTo.push(options)) as typeof window.scrollTo;
history.replaceState({ scrollY: 1_200 }, '');
keepPlaces();
dispatchEvent(new Event('wheel'));

test('a reload scrolls the page to its earlier position', () => {
  expect(reloadedTo).toEqual([{ top: 1_200, behavior: 'instant' }]);
});

const kept = () => (history.state as { scrollY?: number } | null)?.scrollY;
const goBackTo = (place: number) => {
  history.replaceState({ scrollY: place }, '');
  dispatchEvent(new PopStateEvent('popstate'));
};
const frames = (ms: number) => vi.advanceTimersByTime(ms);

test('on Back the page returns to its position, and stays there while the first rows arrive', () => {
  goBackTo(3_000);
  expect(y).toBe(3_000);
  frames(20);
  y = 2_500;
  frames(100);
  expect(y).toBe(3_000);
  dispatchEvent(new MouseEvent('click'));
  expect(kept()).toBe(3_000);
  frames(500);
  y = 2_500;
  frames(100);
  expect(y).toBe(2_500);
  dispatchEvent(new MouseEvent('click'));
  expect(kept()).toBe(2_500);
});

test('a page whose rows arrive late is scrolled once there is room, for ten seconds', () => {
  room = 800;
  goBackTo(3_000);
  expect(y).toBe(800);
  frames(9_000);
  room = 10_000;
  frames(20);
  expect(y).toBe(3_000);
  room = 800;
  y = 0;
  goBackTo(3_001);
  frames(10_100);
  room = 10_000;
  frames(100);
  expect(y).toBe(800);
});

test('a slow read delays scrolling until the user scrolls elsewhere', async () => {
  const slow = Promise.withResolvers<string>();
  const read = queryClient.fetchQuery({ queryKey: ['rows'], queryFn: () => slow.promise });
  room = 800;
  goBackTo(3_000);
  frames(25_000);
  slow.resolve('rows');
  await read;
  room = 10_000;
  frames(20);
  expect(y).toBe(3_000);
  const slower = Promise.withResolvers<string>();
  const next = queryClient.fetchQuery({ queryKey: ['more rows'], queryFn: () => slower.promise });
  room = 800;
  goBackTo(5_000);
  frames(25_000);
  dispatchEvent(new Event('wheel'));
  slower.resolve('rows');
  await next;
  room = 10_000;
  frames(20);
  expect(y).toBe(800);
});

test.each(['wheel', 'touchstart', 'pointerdown', 'keydown'])('%s cancels scrolling to the earlier position', (move) => {
  room = 800;
  goBackTo(3_000);
  dispatchEvent(new Event(move));
  room = 10_000;
  frames(100);
  expect(y).toBe(800);
});
