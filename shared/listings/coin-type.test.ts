import { describe, expect, test } from 'vitest';
import { coinType, packageId, withOriginal } from './coin-type.ts';

const FULL = `0x${'2'.padStart(64, '0')}`;
const SUI = `${FULL}::sui::SUI`;
const LP = `${FULL}::lp::LP<${SUI},${FULL}::usd::USD>`;

describe('names of coins and packages have one spelling [R71]', () => {
  test.each<[text: string, stored: string | null]>([
    ['0x2::sui::SUI', SUI],
    [SUI, SUI],
    [SUI.slice(2), SUI],
    [` ${FULL.slice(2)}::sui::SUI `, SUI],
    ['0x2::coin::Coin<0x2::sui::SUI>', SUI],
    [`${FULL}::coin::TreasuryCap<${SUI.slice(2)}>`, SUI],
    ['0x2::coin::CoinMetadata<0x2::sui::SUI>', SUI],
    ['0x2::balance::Balance< 0x2::sui::SUI >', SUI],
    ['0x2::lp::LP<0x2::sui::SUI, 0x2::usd::USD>', LP],
    [LP.replaceAll('0x', ''), LP],
    ['0x3::coin::Coin<0x2::sui::SUI>', `${FULL.slice(0, -1)}3::coin::Coin<${SUI}>`],
    ['2::sui::SUI', SUI],
    ['0X2::sui::SUI', SUI],
    ['2::coin::Coin<2::sui::SUI>', SUI],
    [LP.replaceAll(/0x0*/g, ''), LP],
    ['c0ffe::cafe::CAFE', `0x${'c0ffe'.padStart(64, '0')}::cafe::CAFE`],
    ['cafe::CAFE', null],
    ['sui::SUI', null],
    ['0x2::sui', null],
    ['@mysten/sui::sui::SUI', null],
    ['0x2::coin::Coin<>', null],
    [`0x2::a::${'A'.repeat(500)}`, null],
  ])('reads the coin type %s', (text, stored) => {
    expect(coinType(text)).toBe(stored);
  });

  test.each<[text: string, stored: string | null]>([
    ['0x2', FULL],
    [FULL.slice(2), FULL],
    [FULL.toUpperCase().replace('0X', '0x'), FULL],
    ['2', FULL],
    ['0X2', FULL],
    ['c0ffe', `0x${'c0ffe'.padStart(64, '0')}`],
    ['cafes', null],
    [`${FULL}0`, null],
    ['0x2::sui', null],
  ])('reads the package %s', (text, stored) => {
    expect(packageId(text)).toBe(stored);
  });
});

test('versions of a package are compared by the first one, alone or in a coin type [R71]', () => {
  const originalOf = (id: string) => (id === '0x5' ? '0x4' : undefined);
  expect(withOriginal('0x5', originalOf)).toBe('0x4');
  expect(withOriginal('0x5::coin::COIN', originalOf)).toBe('0x4::coin::COIN');
  expect(withOriginal('0x6::coin::COIN', originalOf)).toBe('0x6::coin::COIN');
});
