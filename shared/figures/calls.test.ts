import { expect, test } from 'vitest';
import { callsText, countCalls, isWithMajority, pointsMoved } from './calls.ts';

const votes = (bullish: number, bearish: number) => ({ bullish, bearish });

test.each([
  [votes(51, 49), true, true],
  [votes(51, 49), false, false],
  [votes(4, 6), false, true],
  [votes(5, 5), true, null],
  [votes(9, 0), true, null],
  [votes(0, 0), false, null],
] as const)('a verified majority of %o is with a vote (bullish: %s): %s [R90]', (now, isBullish, expected) => {
  expect(isWithMajority(isBullish, now)).toBe(expected);
});

test.each([
  [votes(50, 50), votes(55, 45), 5],
  [votes(71, 29), votes(52, 48), -19],
  [votes(500, 500), votes(549, 451), 0],
  [votes(5, 4), votes(90, 10), 0],
  [votes(90, 10), votes(0, 9), 0],
])('from %o to %o a share moves by %d points, and fewer than five count as none [R95]', (then, now, points) => {
  expect(pointsMoved(then, now)).toBe(points);
});

test('counts the calls with the majority, the early ones among them, and half of all for a coin [R90]', () => {
  const [known, young] = [votes(20, 20), votes(3, 6)];
  const call = (before: typeof known, withMajority: boolean | null) => ({
    before,
    seen: null,
    now: known,
    isWithMajority: withMajority,
  });
  const calls = [call(known, true), call(young, true), call(young, false), call(young, null), null];
  expect(countCalls(calls)).toEqual({ calls: 3, withMajority: 2, early: 1 });
  expect(callsText({ calls: 22, withMajority: 14, early: 6 })).toBe(
    'You are with the verified majority in 14 of 22 calls, 6 of them early; a coin would have 11',
  );
  expect(callsText({ calls: 1, withMajority: 0, early: 0 })).toBe(
    'You are with the verified majority in 0 of 1 call; a coin would have 0.5',
  );
});
