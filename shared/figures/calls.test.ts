import { describe, expect, test } from 'vitest';
import { callsText, countCalls, crowdMove } from './calls.ts';

const votes = (bullish: number, bearish: number) => ({ bullish, bearish });

describe('the crowd', () => {
  test.each([
    [votes(50, 50), votes(51, 49), true, 'toward'],
    [votes(50, 50), votes(51, 49), false, 'away'],
    [votes(71, 29), votes(52, 48), false, 'toward'],
    [votes(71, 29), votes(52, 48), true, 'away'],
    [votes(500, 500), votes(509, 491), true, 'level'],
    [votes(7, 3), votes(70, 30), false, 'level'],
    [votes(29, 71), votes(300, 700), true, 'toward'],
  ] as const)('moves from %o to %o, which a vote (bullish: %s) sees as %s [R90]', (before, now, isBullish, move) => {
    expect(crowdMove(isBullish, before, now)).toBe(move);
  });

  test.each([
    [votes(5, 4), votes(90, 10)],
    [votes(90, 10), votes(0, 9)],
    [votes(0, 0), votes(0, 0)],
  ])('says nothing of %o and %o, one of which has fewer than ten verified votes [R90]', (before, now) => {
    expect(crowdMove(true, before, now)).toBeNull();
  });

  test('came your way in the calls whose share moved; others count as neither [R90]', () => {
    const totals = countCalls(['toward', 'away', 'level', null, 'toward']);
    expect(totals).toEqual({ toward: 2, moved: 3 });
    expect(callsText(totals)).toBe('The crowd came your way in 2 of 3');
  });
});
