import { expect, test } from 'vitest';
import { dayText } from './day-text.ts';

test('writes each day of a year as Intl does', () => {
  const intl = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  for (let day = 0; day < 366; day += 1) {
    const date = new Date(Date.UTC(2028, 0, 1 + day, 23, 59));
    expect(dayText(date.toISOString())).toBe(intl.format(date));
  }
});
