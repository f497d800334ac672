import { expect, test } from 'vitest';
import { holdersIntervalText, holdersText } from './holders.ts';

test('shares and intervals of holders and others are written in one line each [R73]', () => {
  const votes = { holders: { bullish: 170, bearish: 70 }, others: { bullish: 1_153, bearish: 87 } };
  expect(holdersText(votes)).toBe('Holders 71% of 240 · others 93% of 1,240');
  expect(holdersIntervalText(votes)).toBe('holders likely 65–76%, others 91–94%');
});
