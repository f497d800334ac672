import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatSui, parseMist } from './money.ts';
import { countChars, shortenAddress } from './text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('[R15] length counts Unicode code points', () => {
  expect(['', 'abc', '🚀🚀', 'é', 'e\u0301', 'مرحبا'].map(countChars)).toEqual([0, 3, 2, 1, 2, 5]);
  fc.assert(
    fc.property(anyText, (text) => {
      expect(countChars(text)).toBe(Array.from(text).length);
    }),
  );
});

test('[S9.12 S2.10] addresses show their first 6 and last 4 characters', () => {
  expect(shortenAddress(`0x${'12'.repeat(32)}`)).toBe('0x1212...1212');
  expect(shortenAddress('0xabcdef')).toBe('0xabcdef');
});

test('[R20 S9.5] MIST is a bigint in code, a decimal string on the wire, SUI for people', () => {
  const amounts = [15_000_000_000n, 1n, 1_500_000_000n, 0n, -5_000_000_000n];
  expect(amounts.map(formatSui)).toEqual(['15', '0.000000001', '1.5', '0', '-5']);
  expect(parseMist('15000000000')).toBe(15_000_000_000n);
  for (const text of ['', '-1', '1.5', '1e9', '0x10', '18446744073709551616', '999999999999999999999']) {
    expect(() => parseMist(text)).toThrow(RangeError);
  }
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (amountMist) => {
      expect(parseMist(amountMist.toString())).toBe(amountMist);
    }),
  );
});
