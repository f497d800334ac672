import { describe, expect, it } from 'vitest';
import { isSameAddress, normalizeAddress } from './address.ts';

const FULL = `0x${'0'.repeat(61)}a1f`;

describe('normalizeAddress', () => {
  it.each(['0xa1f', '0xA1F', '0X0A1f', ` ${FULL}\n`, FULL.toUpperCase()])(
    'writes %j in full lowercase [R2]',
    (text) => {
      expect(normalizeAddress(text)).toBe(FULL);
    },
  );

  it.each(['', '0x', 'a1f', '0xg1', `${FULL}0`, `0x${'1'.repeat(65)}`, '0xa1f 0xa1f', '0x-1', '0x1.5', 'example.sui'])(
    'refuses %j [R2]',
    (text) => {
      expect(normalizeAddress(text)).toBeNull();
    },
  );

  it('compares addresses in any spelling [R2]', () => {
    expect(isSameAddress('0xA1F', FULL)).toBe(true);
    expect(isSameAddress('0xa1e', FULL)).toBe(false);
    expect(isSameAddress('nothing', 'nothing')).toBe(false);
  });
});
