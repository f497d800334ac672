import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { formatSui, parseMist } from '../money/money.ts';
import { countChars, shortenAddress } from './text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('length counts Unicode code points [R15]', () => {
  expect(['', 'abc', '🚀🚀', 'é', 'e\u0301', 'مرحبا'].map(countChars)).toEqual([0, 3, 2, 1, 2, 5]);
  fc.assert(
    fc.property(anyText, (text) => {
      expect(countChars(text)).toBe(Array.from(text).length);
    }),
    runs(),
  );
});

test('addresses show their first 6 and last 4 characters [S9.12 S2.10]', () => {
  expect(shortenAddress(`0x${'12'.repeat(32)}`)).toBe('0x1212...1212');
  expect(shortenAddress('0xabcdef')).toBe('0xabcdef');
});

const U64_MAX = 2n ** 64n - 1n;

function readOrRangeError(text: string): bigint | typeof RangeError {
  try {
    return parseMist(text);
  } catch (error) {
    if (error instanceof RangeError) return RangeError;
    throw error;
  }
}

test('MIST is a bigint in code, a decimal string on the wire, SUI for people [R20 S9.5]', () => {
  const amounts = [15_000_000_000n, 1n, 1_500_000_000n, 0n, -5_000_000_000n, -1n, 10_000_000_000n, U64_MAX];
  expect(amounts.map(formatSui)).toEqual([
    '15',
    '0.000000001',
    '1.5',
    '0',
    '-5',
    '-0.000000001',
    '10',
    '18446744073.709551615',
  ]);
  expect([parseMist('15000000000'), parseMist(`${U64_MAX}`)]).toEqual([15_000_000_000n, U64_MAX]);
  for (const text of ['', ' 1', '-1', '1.5', '1e9', '0x10', '1_000', '١', `${U64_MAX + 1n}`, '0'.repeat(21)]) {
    expect(() => parseMist(text)).toThrow(RangeError);
  }
});

test('SUI of any amount shows every MIST of it, without a superfluous zero [R20]', () => {
  fc.assert(
    fc.property(fc.bigInt(-U64_MAX, U64_MAX), (amountMist) => {
      const text = formatSui(amountMist);
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,8}[1-9])?$/);
      const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)\.?(\d*)$/.exec(text) ?? [];
      const magnitude = BigInt(whole + fraction.padEnd(9, '0'));
      expect(sign === '-' ? -magnitude : magnitude).toBe(amountMist);
    }),
    runs(),
  );
});

test('MIST on the wire is read exactly when it is a u64 in at most 20 digits [R20]', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, U64_MAX), (amountMist) => {
      expect(parseMist(`${amountMist}`)).toBe(amountMist);
    }),
    runs(),
  );
  const nearly = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-.e x')), maxLength: 22 });
  fc.assert(
    fc.property(fc.oneof(nearly, fc.bigInt(0n, 2n ** 70n).map(String)), (text) => {
      const isAmount = /^\d{1,20}$/.test(text) && BigInt(text) <= U64_MAX;
      expect(readOrRangeError(text)).toBe(isAmount ? BigInt(text) : RangeError);
    }),
    runs(),
  );
});
