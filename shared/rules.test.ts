import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#shared/testing/property-runs.ts';
import {
  bullishPercentage,
  NOT_WHOLE,
  percentTone,
  validateReason,
  validateReview,
  timeLeft,
  updateCategories,
  validateWithdrawal,
} from './rules.ts';
import { isReservedSlug } from './site/reserved-slugs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('percentages are green from 70, yellow from 50, red below [S2.37 S9.9]', () => {
  expect([100, 70, 69, 50, 49, 0].map(percentTone)).toEqual(['green', 'green', 'yellow', 'yellow', 'red', 'red']);
});

test('the bullish percentage is whole and 0 without votes [S1.2]', () => {
  expect(bullishPercentage(0, 0)).toBe(0);
  expect(bullishPercentage(1, 2)).toBe(33);
  expect([bullishPercentage(1, 0), bullishPercentage(0, 1), bullishPercentage(1, 1)]).toEqual([100, 0, 50]);
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), (bullish, bearish) => {
      const percent = bullishPercentage(bullish, bearish);
      expect(Number.isInteger(percent) && percent >= 0 && percent <= 100).toBe(true);
    }),
    runs(),
  );
});

test('a minority never reads 50%, and every shown share is less than a point off [S9.9 R44]', () => {
  expect([bullishPercentage(99, 101), bullishPercentage(101, 99)]).toEqual([49, 51]);
  expect([bullishPercentage(499, 501), bullishPercentage(501, 499)]).toEqual([49, 50]);
  expect(bullishPercentage(100, 100)).toBe(50);
  fc.assert(
    fc.property(fc.nat(2_000), fc.nat(2_000), (bullish, bearish) => {
      fc.pre(bullish + bearish > 0);
      const up = bullishPercentage(bullish, bearish);
      expect(up >= 50).toBe(bullish >= bearish);
      expect(Math.abs(up - (bullish * 100) / (bullish + bearish))).toBeLessThan(1);
    }),
    runs(),
  );
});

test("time left reads 'Nd Nh remaining' or 'Expired Nd Nh ago' [S4.6 R28]", () => {
  const now = Date.UTC(2026, 0, 1);
  expect(timeLeft(now + 3 * DAY_MS + 5 * HOUR_MS + 59 * 60_000, now)).toBe('3d 5h remaining');
  expect(timeLeft(now + 1, now)).toBe('0d 0h remaining');
  expect(timeLeft(now + DAY_MS - HOUR_MS, now)).toBe('0d 23h remaining');
  expect(timeLeft(now + 30 * DAY_MS + 23 * HOUR_MS, now)).toBe('30d 23h remaining');
  expect(timeLeft(now, now)).toBe('Expired 0d 0h ago');
  expect(timeLeft(now - 2 * DAY_MS - HOUR_MS, now)).toBe('Expired 2d 1h ago');
});

describe('withdrawal amounts [S5.5 R14]', () => {
  test.each([50.5, 1e9 + 0.5, Infinity, Number('1e999')])(
    'rejects the withdrawal amount %d, which is not whole',
    (amount) => {
      expect(validateWithdrawal(amount, 1e9)).toEqual(NOT_WHOLE);
    },
  );
  test.each([49, 49.5, 0, -50, Number.NaN, -Infinity])('rejects the withdrawal amount %d as invalid', (amount) => {
    expect(validateWithdrawal(amount, 1e9)).toEqual({
      title: 'Invalid amount',
      message: 'Minimum withdrawal is 50 tokens',
    });
  });
  test('rejects a withdrawal of more than the balance', () => {
    expect(validateWithdrawal(2 ** 60, 1e9)?.title).toBe('Insufficient balance');
    expect(validateWithdrawal(61, 60)).toEqual({ title: 'Insufficient balance', message: 'You only have 60 tokens' });
  });
  test('accepts a withdrawal of 50 and of the whole balance', () => {
    expect(validateWithdrawal(50, 60)).toBeNull();
    expect(validateWithdrawal(60, 60)).toBeNull();
  });
});

describe('review texts [S5.6 R15]', () => {
  test('rejects an empty or blank review', () => {
    for (const text of ['', '  \n\t ']) {
      expect(validateReview(text)).toEqual({
        title: 'Review cannot be empty',
        message: 'Please write something before submitting',
      });
    }
  });
  test('accepts reviews of up to 200 code points, regardless of bytes or UTF-16 units', () => {
    expect(validateReview('🚀'.repeat(200))).toBeNull();
    expect(validateReview('🚀'.repeat(201))).toEqual({
      title: 'Review too long',
      message: 'Maximum 200 characters allowed',
    });
  });
});

test('the reason of a decision has one to 300 characters, counted as users see them', () => {
  expect(validateReason('')).toBe('Please give a reason');
  for (const reason of ['?', 'x'.repeat(300), '🎉'.repeat(300)]) expect(validateReason(reason)).toBeNull();
  for (const reason of ['x'.repeat(301), '🎉'.repeat(301)])
    expect(validateReason(reason)).toBe('Maximum 300 characters allowed');
});

test('the Update dialog offers its own list and the present category [S3.15 R24]', () => {
  expect(updateCategories('DeFi')).toEqual(['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other']);
  expect(updateCategories('Meme')).toEqual(['DeFi', 'NFT', 'Gaming', 'Infrastructure', 'Social', 'Other', 'Meme']);
});

test('a slug is never one of our own routes, a number or nothing [R23]', () => {
  for (const slug of [
    '',
    '42',
    'leaderboard',
    'admin',
    'api',
    'portfolio',
    'submit-project',
    'profile',
    'subscription',
    'projects',
  ]) {
    expect(isReservedSlug(slug)).toBe(true);
  }
  for (const slug of ['tidepool', '4ever', 'sui-2']) expect(isReservedSlug(slug)).toBe(false);
});
