// @vitest-environment happy-dom
/** What is animated of a card that leaves, and of one that is called back. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { VOTE_LOCK_MS } from '#shared/constants.ts';
import { callBack, flyOut, STILL, widthsOf } from './card-flight.ts';

interface Run {
  frames: Keyframe[];
  options: KeyframeAnimationOptions;
}

const WIDTHS = { cardPx: 360, screenPx: 390 };
let card: HTMLElement;
let runs: Run[];
const stamp = (vote: string) => card.querySelector<HTMLElement>(`[data-stamp="${vote}"]`);

beforeEach(() => {
  runs = [];
  document.body.innerHTML = '<article><i data-stamp="bullish"></i><i data-stamp="bearish"></i></article>';
  card = document.body.firstElementChild as HTMLElement;
  card.animate = (frames, options) => {
    runs.push({ frames: frames as Keyframe[], options: options as KeyframeAnimationOptions });
    return { cancel: () => undefined } as Animation;
  };
});
afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

test('a vote flies to its side with its stamp, stays whole for most of the way, and stays away', () => {
  flyOut(card, 'bearish', STILL, WIDTHS);
  expect(stamp('bearish')?.style.opacity).toBe('1');
  expect(stamp('bullish')?.style.opacity).toBe('');
  const [run] = runs;
  expect(run?.frames).toEqual([
    { transform: 'translate3d(0.0px, 0.0px, 0) rotate(0.00deg)', opacity: 1 },
    { opacity: 1, offset: 0.6 },
    { transform: 'translate3d(-483.0px, 0.0px, 0) rotate(-14.00deg)', opacity: 0 },
  ]);
  // From rest it gains speed.
  expect(run?.options).toMatchObject({ fill: 'forwards', easing: 'ease-in' });
});

test('a card that was swiped goes on from where it was let go, with the speed that it had', () => {
  flyOut(card, 'bullish', { dx: 120, dy: 8, degrees: 5, velocity: { x: 1.5, y: 0 } }, WIDTHS);
  expect(runs[0]?.frames[0]).toEqual({ transform: 'translate3d(120.0px, 8.0px, 0) rotate(5.00deg)', opacity: 1 });
  expect(runs[0]?.options.easing).toBe('cubic-bezier(0.3, 0.6, 0.7, 1)');
  flyOut(card, 'bullish', { dx: 120, dy: 8, degrees: 5, velocity: { x: 9, y: 0 } }, WIDTHS);
  expect(Number(runs[1]?.options.duration)).toBeLessThan(Number(runs[0]?.options.duration));
});

test('a skipped card sinks behind the stack, without a stamp', () => {
  flyOut(card, 'skip', STILL, WIDTHS);
  expect(runs[0]?.frames).toEqual([
    { transform: 'none', opacity: 1 },
    { transform: 'translate3d(0, 56px, 0) scale(0.88)', opacity: 0 },
  ]);
  expect(runs[0]?.options).toMatchObject({ fill: 'forwards', easing: 'ease-out' });
  expect(card.querySelector('[style]')).toBeNull();
  // Seen on its way, and gone before the next press counts.
  expect(Number(runs[0]?.options.duration)).toBeGreaterThan(100);
  expect(Number(runs[0]?.options.duration)).toBeLessThanOrEqual(VOTE_LOCK_MS);
});

test('a card that is called back comes from wherever it is, and has nothing left of its flight', () => {
  const cancel = vi.fn<() => void>();
  card.getAnimations = () => [{ cancel } as unknown as Animation];
  for (const element of [card, stamp('bullish')]) element?.style.setProperty('opacity', '0.5');
  vi.spyOn(window, 'getComputedStyle').mockReturnValue({
    transform: 'matrix(1, 0, 0, 1, 200, 0)',
    opacity: '0.3',
  } as CSSStyleDeclaration);
  callBack(card);
  expect(cancel).toHaveBeenCalledOnce();
  expect(document.querySelector('[style]')).toBeNull();
  expect(runs).toHaveLength(1);
  expect(runs[0]?.frames).toEqual([
    { transform: 'matrix(1, 0, 0, 1, 200, 0)', opacity: '0.3' },
    { transform: 'none', opacity: 1 },
  ]);
});

test('without motion a card only fades, and comes back in no more time than that', () => {
  card.getAnimations = () => [];
  callBack(card);
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  flyOut(card, 'bullish', STILL, WIDTHS);
  callBack(card);
  const [moving, fading, back] = runs;
  expect(fading?.frames).toEqual([{ opacity: 1 }, { opacity: 0 }]);
  expect(fading?.options.fill).toBe('forwards');
  expect(back?.options.duration).toBe(fading?.options.duration);
  expect(Number(back?.options.duration)).toBeLessThan(Number(moving?.options.duration));
});

test('the card and the screen are measured as they are', () => {
  vi.spyOn(card, 'offsetWidth', 'get').mockReturnValue(333);
  expect(widthsOf(card)).toEqual({ cardPx: 333, screenPx: innerWidth });
});
