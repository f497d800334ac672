import { expect, test } from 'vitest';
import { readAmount } from './use-withdraw.ts';

const MINIMUM = { title: 'Invalid amount', message: 'Minimum withdrawal is 50 tokens' };
const NOT_WHOLE = { title: 'Invalid amount', message: 'Enter whole Snaps, in digits only' };
const TOO_MUCH = { title: 'Insufficient balance', message: 'You only have 100 tokens' };

test.each<[string, unknown]>([
  ['50', 50],
  [' 100 ', 100],
  ['50.0', 50],
  ['49', MINIMUM],
  ['0', MINIMUM],
  ['', MINIMUM],
  ['abc', MINIMUM],
  ['-60', MINIMUM],
  ['NaN', MINIMUM],
  ['Infinity', MINIMUM],
  ['−60', MINIMUM],
  ['0x60', NOT_WHOLE],
  ['50.5', NOT_WHOLE],
  ['50,5', NOT_WHOLE],
  ['1e3', NOT_WHOLE],
  ['1E+3', NOT_WHOLE],
  ['1e999', NOT_WHOLE],
  ['1,000', NOT_WHOLE],
  ['1 000', NOT_WHOLE],
  ['1\u00a0000', TOO_MUCH],
  ['1\u202f000\u202f000', TOO_MUCH],
  ['1\u00a000', NOT_WHOLE],
  ['9'.repeat(30), TOO_MUCH],
  ['101', TOO_MUCH],
  ['60 Snaps', 60],
  ['60SNAPS', 60],
  ['60 tokens', 60],
  ['+60', 60],
  ['60.', 60],
  ['60,–', 60],
  ['60.-', 60],
  ['６０', 60],
  ['६०', 60],
  ['٦٠', 60],
  ['𝟞𝟘', 60],
  ['１００ Snaps', 100],
  ['+1’000', TOO_MUCH],
  ["1'000", TOO_MUCH],
  ['1\u2009000', TOO_MUCH],
  ['١٬٠٠٠', TOO_MUCH],
  ['1.000', NOT_WHOLE],
  ['50.000', NOT_WHOLE],
  ['１，０００', NOT_WHOLE],
  ['≈60', NOT_WHOLE],
  ['60 SUI', NOT_WHOLE],
  ['60–70', NOT_WHOLE],
])('the amount %j with 100 tokens is read as %j [S5.5 R14]', (text, expected) => {
  expect(readAmount(text, 100)).toEqual(expected);
});
