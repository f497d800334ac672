import { expect, test } from 'vitest';
import { plural } from './plural.ts';

test('counts one, several, none and thousands of a thing', () => {
  expect([1, 2, 0, 1234].map((count) => plural(count, 'character'))).toEqual([
    '1 character',
    '2 characters',
    '0 characters',
    '1,234 characters',
  ]);
  expect(plural(2, 'entry', 'entries')).toBe('2 entries');
});
