import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { MIST_PER_SUI } from './constants.ts';
import {
  heldAtOnceMist,
  WALLETS_PER_COIN,
  walletsToFallBelowHalf,
  walletsToPass,
  walletsToReachHalf,
} from './cost-to-change.ts';
import { confidence, type VoteCounts } from './interval.ts';
import { STANDING_WINDOW_DAYS, voterState } from './states/votes.ts';

const counts = fc.record({ bullish: fc.nat(2_000), bearish: fc.nat(2_000) });
const share = ({ bullish, bearish }: VoteCounts) => bullish / (bullish + bearish);

describe('the cost of another majority [R44]', () => {
  test('as many bearish wallets bring the share below half, and one less does not', () => {
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
  test('as many bullish wallets lift it to half, and one less does not', () => {
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

describe('the cost of the next rank [R44]', () => {
  const isAhead = (own: VoteCounts, above: VoteCounts, wallets: number) =>
    confidence(own.bullish + wallets, own.bearish) > confidence(above.bullish, above.bearish + wallets);
  test('as many wallets pass the project above, and one less does not, however many votes there are', () => {
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
  test('is what counting up from no wallet finds', () => {
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
  test('one wallet passes a project without a bullish vote; none is needed behind nobody', () => {
    expect(walletsToPass({ bullish: 0, bearish: 0 }, { bullish: 0, bearish: 9 })).toBe(1);
    expect(walletsToPass({ bullish: 9, bearish: 0 }, { bullish: 0, bearish: 9 })).toBe(0);
    expect(walletsToPass({ bullish: 0, bearish: 0 }, { bullish: 10_000_000, bearish: 0 })).toBeGreaterThan(1_000);
  });
});

describe('the SUI that it takes [R44]', () => {
  test('one coin keeps two wallets standing by turns, never three [R38]', () => {
    const daysWithCoin = Math.floor(STANDING_WINDOW_DAYS / WALLETS_PER_COIN);
    const facts = { ageDays: 30, daysRead: STANDING_WINDOW_DAYS };
    expect(voterState({ ...facts, daysHeld: daysWithCoin }, 7)).toBe('standing');
    const amongMore = Math.floor(STANDING_WINDOW_DAYS / (WALLETS_PER_COIN + 1));
    expect(voterState({ ...facts, daysHeld: amongMore }, 7)).toBe('no_standing');
    expect(WALLETS_PER_COIN).toBe(2);
  });

  test('is what half of the wallets hold at one moment', () => {
    expect(heldAtOnceMist(20, MIST_PER_SUI)).toBe(10n * MIST_PER_SUI);
    expect(heldAtOnceMist(21, MIST_PER_SUI)).toBe(11n * MIST_PER_SUI);
    expect(heldAtOnceMist(1, MIST_PER_SUI / 2n)).toBe(500_000_000n);
    expect(heldAtOnceMist(0, MIST_PER_SUI)).toBe(0n);
  });
});
