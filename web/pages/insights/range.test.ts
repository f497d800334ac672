import { expect, test } from 'vitest';
import { dayFigures } from '#shared/figures/insights.ts';
import { changeText, daysIn, rangeOf, rateText } from './range.ts';

const NONE = { bullish: 0, bearish: 0, verifiedBullish: null, verifiedBearish: null };
const listed = (since: string) => dayFigures({ since, today: '2026-03-31', before: NONE, events: [], votes: [] });

test('a range has its last days, and as many before when the listing is old enough [R50]', () => {
  const { days, before, start } = daysIn('7', listed('2026-03-01'), NONE);
  expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([7, '2026-03-25', '2026-03-31']);
  expect([before?.length, before?.[0]?.day, before?.at(-1)?.day]).toEqual([7, '2026-03-18', '2026-03-24']);
  expect(start).toMatchObject({ day: '2026-03-24' });
  expect(daysIn('30', listed('2026-03-01'), NONE)).toMatchObject({
    before: null,
    start: { ...NONE, day: '2026-03-01' },
  });
  expect(daysIn('30', listed('2026-03-31'), NONE).days).toHaveLength(1);
  expect(daysIn('all', listed('2026-01-01'), NONE)).toMatchObject({ days: { length: 90 }, before: null, start: NONE });
});

test('changes and rates are texts for any numbers', () => {
  expect([changeText(0, 0), changeText(3, 0), changeText(112, 100), changeText(3, 5), changeText(1000, 1001)]).toEqual([
    '±0%',
    'new',
    '+12%',
    '−40%',
    '±0%',
  ]);
  expect([rateText(0, 0), rateText(1, 14), rateText(0, 9), rateText(1, 5000), rateText(90, 40)]).toEqual([
    '–',
    '7.1%',
    '0.0%',
    '<0.1%',
    '225%',
  ]);
});

test('an address names the range, and another word means a month', () =>
  expect(['', '?days=7', '?days=all', '?days=8', '?days='].map(rangeOf)).toEqual(['30', '7', 'all', '30', '30']));
