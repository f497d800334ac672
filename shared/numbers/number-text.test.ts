import { expect, test } from 'vitest';
import { NUMBER_SAMPLE } from '../site/first-paint.ts';
import { numberText } from './number-text.ts';

test('writes counts as Intl does, without calling it for most readers [S1.6]', () => {
  for (const count of [0, 7, 999, 1000, 12_345, 123_456, 1_234_567, -1234]) {
    expect(numberText(count)).toBe(count.toLocaleString('en-US'));
  }
});

test('a single sample tells each locale from the American one whenever their numbers differ [S1.6]', () => {
  const locales =
    'ar ar-EG bn de de-CH en-GB en-IN en-ZA es es-MX fa fr gu hi ja ml mr my ne or pa pl pt ta te th tr ur';
  const numbers = [0, 7, 999, 1234, 12_345, 123_456, 1_234_567, -7, -1234, 0.5, 12_345.6];
  const differs = (locale: string) => (number: number) =>
    number.toLocaleString(locale) !== number.toLocaleString('en-US');
  const missed = locales
    .split(' ')
    .filter((locale) => !differs(locale)(NUMBER_SAMPLE) && numbers.some(differs(locale)));
  expect(missed).toEqual([]);
});
