import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import { confidence, intervalText, nowBrief, nowText, verifiedText, wilsonInterval } from './interval.ts';

const counts = fc.record({ bullish: fc.nat(10_000), bearish: fc.nat(10_000) });

describe('bounds of a share [R27]', () => {
  test('confidence has the known values of the lower bound of the 95% Wilson interval [R27]', () => {
    expect(confidence(1, 0)).toBeCloseTo(0.2065, 3);
    expect(confidence(40, 0)).toBeCloseTo(0.9124, 3);
    expect(confidence(50, 50)).toBeCloseTo(0.4038, 3);
    expect(confidence(0, 0)).toBe(0);
  });
  test('confidence stays below the share and grows with more votes of the same share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (bullish, bearish) => {
        const small = confidence(bullish, bearish);
        expect(small).toBeGreaterThanOrEqual(0);
        expect(small).toBeLessThanOrEqual(bullish / (bullish + bearish) + 1e-12);
        expect(confidence(bullish * 2, bearish * 2)).toBeGreaterThan(small);
      }),
      runs(),
    );
  });
});

describe('intervals of a share [R44]', () => {
  test('the 95% interval has known values, and every share is possible without votes', () => {
    expect(wilsonInterval({ bullish: 10, bearish: 10 }).low).toBeCloseTo(0.299_298, 5);
    expect(wilsonInterval({ bullish: 10, bearish: 10 }).high).toBeCloseTo(0.700_702, 5);
    expect(wilsonInterval({ bullish: 9, bearish: 1 }).low).toBeCloseTo(0.595_850, 5);
    expect(wilsonInterval({ bullish: 9, bearish: 1 }).high).toBeCloseTo(0.982_124, 5);
    expect(wilsonInterval({ bullish: 0, bearish: 0 })).toEqual({ low: 0, high: 1 });
    expect(wilsonInterval({ bullish: 0, bearish: 5 }).low).toBe(0);
    expect(wilsonInterval({ bullish: 5, bearish: 0 }).high).toBe(1);
  });
  test("the 95% interval contains the share, stays within 0 and 1, and mirrors the other side's", () => {
    fc.assert(
      fc.property(counts, ({ bullish, bearish }) => {
        const { low, high } = wilsonInterval({ bullish, bearish });
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThan(high);
        const other = wilsonInterval({ bullish: bearish, bearish: bullish });
        expect(other.low).toBeCloseTo(1 - high, 10);
        if (bullish + bearish === 0) return;
        const share = bullish / (bullish + bearish);
        expect(share).toBeGreaterThanOrEqual(low - 1e-12);
        expect(share).toBeLessThanOrEqual(high + 1e-12);
      }),
      runs(),
    );
  });
  test('the 95% interval narrows with more votes of the same share', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 50 }), ({ bullish, bearish }, times) => {
        fc.pre(bullish + bearish > 0);
        const few = wilsonInterval({ bullish, bearish });
        const many = wilsonInterval({ bullish: bullish * times, bearish: bearish * times });
        expect(many.high - many.low).toBeLessThan(few.high - few.low);
      }),
      runs(),
    );
  });
});

test('an interval and the verified votes are written short, in whole percent [R44]', () => {
  expect(intervalText({ bullish: 9, bearish: 1 })).toBe('60–98%');
  expect(intervalText({ bullish: 0, bearish: 0 })).toBe('');
  expect(verifiedText({ bullish: 900, bearish: 334 })).toBe('73% of 1,234 verified votes');
  expect(verifiedText({ bullish: 0, bearish: 0 })).toBe('none verified');
});

test('the share of the last 30 days is left out unless a tenth of the votes is older [R58]', () => {
  const now = { bullish: 2, bearish: 9 };
  expect(nowText({ bullish: 9, bearish: 9 }, now)).toBe('last 30 days: 18% of 11');
  expect(nowBrief({ bullish: 9, bearish: 9 }, now)).toBe('last 30 days: 18%');
  expect(nowText({ bullish: 4, bearish: 9 }, now)).toBe('last 30 days: 18% of 11');
  expect(nowText({ bullish: 3, bearish: 9 }, now)).toBeNull();
  // A change moves the share at once, and these figures some minutes later.
  expect(nowText({ bullish: 3, bearish: 8 }, now)).toBeNull();
  expect(nowText({ bullish: 9, bearish: 9 }, null)).toBeNull();
});
