import { expect, test } from 'vitest';
import { everyDay, shortDay } from './days.ts';

const row = (day: string, n: number) => ({ day, n });
const repeat = (previous: { n: number }, day: string) => ({ ...previous, day });

test('days that are missing are filled in, up to the last one or a day after it', () => {
  const rows = [row('2026-02-26', 1), row('2026-03-01', 2)];
  const filled = [row('2026-02-26', 1), row('2026-02-27', 1), row('2026-02-28', 1), row('2026-03-01', 2)];
  expect(everyDay(rows, repeat)).toEqual(filled);
  expect(everyDay(rows, repeat, '2026-03-03')).toEqual([...filled, row('2026-03-02', 2), row('2026-03-03', 2)]);
  expect(everyDay(rows, repeat, '2026-01-01')).toEqual(filled);
});

test('without rows there are no days; one row is one day', () => {
  expect(everyDay([], repeat, '2026-03-03')).toEqual([]);
  expect(everyDay([row('2026-03-03', 4)], repeat, '2026-03-03')).toEqual([row('2026-03-03', 4)]);
});

test('a day is the one of UTC, wherever it is read', () => {
  expect(shortDay(Date.parse('2026-03-01'))).toBe('1 Mar');
});
