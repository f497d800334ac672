import { expect, test } from 'vitest';
import { openText, spanText, waitsText } from './wait-text.ts';

test('spans name their two largest units [R79]', () => {
  expect([30, 60, 3_600, 7_500, 90_000, 86_400 * 3].map(spanText)).toEqual([
    'less than a minute',
    '1 minute',
    '1 hour',
    '2 hours 5 minutes',
    '1 day 1 hour',
    '3 days',
  ]);
});

test('waits say the median and the slowest, or that nothing was paid [R79]', () => {
  const none = { paid: 0, medianSeconds: null, longestSeconds: null, open: 0, oldestOpenSeconds: null };
  expect([waitsText(none), openText(none)]).toEqual(['No withdrawal was paid in the last 30 days.', null]);
  const waits = { paid: 4, medianSeconds: 120, longestSeconds: 7_200, open: 1, oldestOpenSeconds: 600 };
  expect(waitsText(waits)).toBe(
    'Last 30 days: 4 withdrawals paid, half of them in 2 minutes or less, the slowest in 2 hours.',
  );
  expect(openText(waits)).toBe('1 withdrawal open now, the oldest for 10 minutes.');
});
