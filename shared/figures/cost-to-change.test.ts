import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { MIST_PER_SUI } from '../constants.ts';
import { coinsAtOnce, heldMist, walletsToFallBelowHalf, walletsToPass, walletsToReachHalf } from './cost-to-change.ts';
import { confidence, type VoteCounts } from '../numbers/interval.ts';
import { STANDING_NEEDED_DAYS, STANDING_WINDOW_DAYS } from '../states/votes.ts';

const counts = fc.record({ bullish: fc.nat(2_000), bearish: fc.nat(2_000) });
const share = ({ bullish, bearish }: VoteCounts) => bullish / (bullish + bearish);

describe('wallets needed for another majority [R44]', () => {
  test('the computed number of bearish wallets brings the share below half, and one less does not', () => {
    fc.assert(
      fc.property(counts, ({ bullish, bearish }) => {
        const wallets = walletsToFallBelowHalf({ bullish, bearish });
        expect(share({ bullish, bearish: bearish + wallets })).toBeLessThan(0.5);
        expect(wallets > 1 && share({ bullish, bearish: bearish + wallets - 1 }) < 0.5).toBe(false);
      }),
      runs(),
    );
    expect(walletsToFallBelowHalf({ bullish: 60, bearish: 40 })).toBe(21);
    expect(walletsToFallBelowHalf({ bullish: 40, bearish: 60 })).toBe(0);
    expect(walletsToFallBelowHalf({ bullish: 0, bearish: 0 })).toBe(1);
  });
  test('the computed number of bullish wallets lifts the share to half, and one less does not', () => {
    fc.assert(
      fc.property(counts, ({ bullish, bearish }) => {
        const wallets = walletsToReachHalf({ bullish, bearish });
        expect(share({ bullish: bullish + wallets, bearish })).toBeGreaterThanOrEqual(0.5);
        expect(wallets > 1 && share({ bullish: bullish + wallets - 1, bearish }) >= 0.5).toBe(false);
      }),
      runs(),
    );
    expect(walletsToReachHalf({ bullish: 40, bearish: 60 })).toBe(20);
    expect(walletsToReachHalf({ bullish: 5, bearish: 5 })).toBe(0);
  });
});

describe('wallets needed for the next rank [R44]', () => {
  const isAhead = (own: VoteCounts, above: VoteCounts, wallets: number) =>
    confidence(own.bullish + wallets, own.bearish) > confidence(above.bullish, above.bearish + wallets);
  test('the computed number of wallets passes the project above, and one less does not, for any number of votes', () => {
    const many = fc.record({ bullish: fc.nat(5_000_000), bearish: fc.nat(5_000_000) });
    fc.assert(
      fc.property(fc.oneof(counts, many), fc.oneof(counts, many), (own, above) => {
        const wallets = walletsToPass(own, above);
        expect(isAhead(own, above, wallets)).toBe(true);
        expect(wallets > 0 && isAhead(own, above, wallets - 1)).toBe(false);
      }),
      runs(),
    );
  });
  test('the computed number of wallets equals counting up from zero', () => {
    const few = fc.record({ bullish: fc.nat(30), bearish: fc.nat(30) });
    fc.assert(
      fc.property(few, few, (own, above) => {
        let wallets = 0;
        while (!isAhead(own, above, wallets)) wallets += 1;
        expect(walletsToPass(own, above)).toBe(wallets);
      }),
      runs(),
    );
  });
  test('one wallet passes a project without a bullish vote, or with equal votes; the top project needs none', () => {
    expect(walletsToPass({ bullish: 13, bearish: 5 }, { bullish: 13, bearish: 5 })).toBe(1);
    expect(walletsToPass({ bullish: 0, bearish: 0 }, { bullish: 0, bearish: 9 })).toBe(1);
    expect(walletsToPass({ bullish: 9, bearish: 0 }, { bullish: 0, bearish: 9 })).toBe(0);
    expect(walletsToPass({ bullish: 0, bearish: 0 }, { bullish: 10_000_000, bearish: 0 })).toBeGreaterThan(1_000);
  });
});

describe('SUI and days needed for a change [R44]', () => {
  test('six coins give seven wallets standing at one moment, and no coins give more than seven sixths as many [R38]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (wallets) => {
        const days = (coins: number) => coins * STANDING_WINDOW_DAYS;
        expect(days(coinsAtOnce(wallets))).toBeGreaterThanOrEqual(wallets * STANDING_NEEDED_DAYS);
        expect(days(coinsAtOnce(wallets) - 1)).toBeLessThan(wallets * STANDING_NEEDED_DAYS);
      }),
      runs(),
    );
    expect([1, 6, 7, 8].map(coinsAtOnce)).toEqual([1, 6, 6, 7]);
  });

  test('the SUI are the minimum for standing, times the coins', () => {
    expect(heldMist(20, MIST_PER_SUI)).toBe(18n * MIST_PER_SUI);
    expect(heldMist(1, MIST_PER_SUI / 2n)).toBe(500_000_000n);
    expect(heldMist(0, MIST_PER_SUI)).toBe(0n);
  });
});
