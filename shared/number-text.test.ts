import { expect, test } from 'vitest';
import { numberText } from './number-text.ts';

test('writes counts as Intl does, without calling it for most readers [S1.6]', () => {
  for (const count of [0, 7, 999, 1000, 12_345, 123_456, 1_234_567, -1234]) {
    expect(numberText(count)).toBe(count.toLocaleString('en-US'));
  }
});
