import { describe, expect, test } from 'vitest';
import { stampOpacity, swipeVote, tilt } from './swipe-math.ts';

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

  test('speed alone does not cast a vote: only the distance at the release counts [S5.2]', () => {
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
