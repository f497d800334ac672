import { expect, test } from 'vitest';
import { withdrawalFault } from '#shared/rules.ts';
import { readAmount } from './use-withdraw.ts';

test.each<[string, string | null]>([
  ['50', null],
  [' 100 ', null],
  ['50.0', null],
  ['49', 'Minimum withdrawal is 50 tokens'],
  ['50.5', 'Minimum withdrawal is 50 tokens'],
  ['', 'Minimum withdrawal is 50 tokens'],
  ['abc', 'Minimum withdrawal is 50 tokens'],
  ['1e3', 'Minimum withdrawal is 50 tokens'],
  ['-60', 'Minimum withdrawal is 50 tokens'],
  ['NaN', 'Minimum withdrawal is 50 tokens'],
  ['0x60', 'Minimum withdrawal is 50 tokens'],
  ['9'.repeat(30), 'Minimum withdrawal is 50 tokens'],
  ['101', 'You only have 100 tokens'],
])('[S5.5] %j typed with 100 tokens: %s', (text, message) => {
  expect(withdrawalFault(readAmount(text), 100)?.message ?? null).toBe(message);
});
