import { describe, expect, test } from 'vitest';
import { flightOf, follow, restPose, stampOpacity, swipeVote, tilt, velocityOf } from './swipe-math.ts';

describe('release', () => {
  test.each([
    [100.5, 'bullish'],
    [101, 'bullish'],
    [-100.5, 'bearish'],
    [-640, 'bearish'],
    [100, null],
    [-100, null],
    [0, null],
  ] as const)('at %d px means %s [S2.12 S5.2 S9.3]', (dx, vote) => {
    expect(swipeVote(dx)).toBe(vote);
  });

  test('speed alone is no vote: only the distance at the release counts [S5.2]', () => {
    expect(swipeVote(40)).toBeNull();
  });
});

test('stamps are gone at rest, whole where a release votes, the same on both sides', () => {
  expect([0, 24, 62, 100, 300].map(stampOpacity)).toEqual([0, 0, 0.5, 1, 1]);
  expect(stampOpacity(-62)).toBe(0.5);
});

test('a card tilts with the drag, the other way when gripped low, never too far', () => {
  expect(tilt(100, false)).toBeCloseTo(5.5);
  expect(tilt(100, true)).toBeCloseTo(-5.5);
  expect(tilt(-5000, false)).toBe(-16);
});

test('a card follows the pointer exactly, and resists while votes are not taken', () => {
  expect(follow(80, true)).toBe(80);
  expect(follow(80, false)).toBeLessThan(40);
});

test('a card between two places lies between them', () => {
  expect(restPose(0)).toBe('translate3d(0, calc(0.00px + 0.000%), 0) rotate(0.00deg) scale(1.0000)');
  expect(restPose(0.5)).toBe('translate3d(0, calc(6.00px + 1.250%), 0) rotate(-1.00deg) scale(0.9750)');
  expect(restPose(1.5)).toContain('rotate(0.20deg)');
  expect(restPose(2)).toContain('rotate(2.40deg)');
});

describe('velocity', () => {
  const at = (timeMs: number, x: number) => ({ timeMs, x, y: x / 2 });
  test('is measured over the last moments', () => {
    expect(velocityOf([at(0, 0), at(950, 10), at(1000, 60)], 1000)).toEqual({ x: 1, y: 0.5 });
  });
  test('ignores samples older than 80 ms', () => {
    expect(velocityOf([at(900, 0), at(920, 20), at(1000, 60)], 1000)).toEqual({ x: 0.5, y: 0.25 });
  });
  test('is nothing after a rest, or from one sample', () => {
    expect(velocityOf([at(0, 0), at(10, 90)], 1000)).toEqual({ x: 0, y: 0 });
    expect(velocityOf([at(1000, 5)], 1000)).toEqual({ x: 0, y: 0 });
  });
});

describe('flight', () => {
  const launch = (dx: number, x: number) => ({ dx, dy: 0, degrees: 4, velocity: { x, y: 0 } });
  const endOf = (pose: string) => Number(/translate3d\((-?[\d.]+)px/.exec(pose)?.[1]);
  test('ends outside the viewport on the side of the vote', () => {
    expect(endOf(flightOf('bullish', launch(110, 0), 360, 390).pose)).toBeGreaterThan(390 / 2 + 360 / 2);
    expect(endOf(flightOf('bearish', launch(-110, 0), 360, 1440).pose)).toBeLessThan(-1440 / 2 - 360 / 2);
  });
  test('is faster for a faster hand, within bounds', () => {
    const slow = flightOf('bullish', launch(110, 0), 360, 390).durationMs;
    const fast = flightOf('bullish', launch(110, 3), 360, 390).durationMs;
    expect(fast).toBeLessThan(slow);
    expect(slow).toBeLessThanOrEqual(380);
    expect(flightOf('bullish', launch(110, 50), 360, 390).durationMs).toBe(190);
  });
  test('is as fast to the left as to the right, and no faster for a hand that goes the other way', () => {
    const right = flightOf('bullish', launch(110, 3), 360, 390).durationMs;
    expect(flightOf('bearish', launch(-110, -3), 360, 390).durationMs).toBe(right);
    expect(flightOf('bearish', launch(-110, 3), 360, 390).durationMs).toBeGreaterThan(right);
  });
  test('ends where the card is out of sight, and no further', () => {
    expect(flightOf('bullish', launch(110, 0), 360, 390).pose).toContain('translate3d(483.0px, 0.0px, 0)');
  });
  test('drifts on as the hand went up or down, by 240 px at most', () => {
    const drifting = (y: number) => flightOf('bullish', { ...launch(110, 50), velocity: { x: 50, y } }, 360, 390).pose;
    expect(drifting(1)).toContain('px, 95.0px, 0)');
    expect(drifting(-1)).toContain('px, -95.0px, 0)');
    expect(drifting(9)).toContain('px, 240.0px, 0)');
    expect(drifting(-9)).toContain('px, -240.0px, 0)');
  });
  test('a card that was tilted turns on', () => {
    expect(flightOf('bullish', launch(110, 0), 360, 390).pose).toContain('rotate(6.40deg)');
  });
  test('a card sent by a button turns to its side', () => {
    const still = { dx: 0, dy: 0, degrees: 0, velocity: { x: 0, y: 0 } };
    expect(flightOf('bearish', still, 360, 390).pose).toContain('rotate(-14.00deg)');
  });
});
