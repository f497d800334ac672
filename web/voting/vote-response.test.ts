import { describe, expect, test } from 'vitest';
import { statsOf, votingStatusOf } from '../testing/made-up.ts';
import { countdown, limitPhase, newerStats, newerStatus } from './vote-response.ts';

const EARLY = '2026-01-01T06:00:00.000Z';
const LATE = '2026-01-01T13:00:00.000Z';

describe('responses that overtake each other [S4.5]', () => {
  test('stats never jump back to fewer votes; the same count takes the newer balance', () => {
    expect(newerStats(statsOf(5), statsOf(4))).toEqual(statsOf(5));
    expect(newerStats(statsOf(5), { ...statsOf(5), tokenBalance: 0 }).tokenBalance).toBe(0);
    expect(newerStats(undefined, statsOf(4))).toEqual(statsOf(4));
  });

  test('votes remaining only shrink within a window, and start again with the next [R8]', () => {
    expect(newerStatus(votingStatusOf(9, EARLY), votingStatusOf(8, EARLY)).votesRemaining).toBe(16);
    expect(newerStatus(votingStatusOf(9, EARLY), votingStatusOf(10, EARLY)).votesRemaining).toBe(15);
    expect(newerStatus(votingStatusOf(25, EARLY), votingStatusOf(1, LATE)).votesRemaining).toBe(24);
    expect(newerStatus(votingStatusOf(1, LATE), votingStatusOf(25, EARLY)).votesRemaining).toBe(24);
    expect(newerStatus(votingStatusOf(25, EARLY), votingStatusOf(0, null)).votesRemaining).toBe(25);
    expect(newerStatus(votingStatusOf(0, null), votingStatusOf(1, EARLY)).votesRemaining).toBe(24);
  });
});

describe('limit [S2.16]', () => {
  const end = Date.parse(EARLY);
  test('is reached at 0 votes until the period ends, then resetting until a fresh status', () => {
    expect(limitPhase(votingStatusOf(24, EARLY), end - 1)).toBe('open');
    expect(limitPhase(votingStatusOf(25, EARLY), end - 1)).toBe('limited');
    expect(limitPhase(votingStatusOf(25, EARLY), end)).toBe('resetting');
    expect(limitPhase(votingStatusOf(0, null), end)).toBe('open');
    expect(limitPhase(undefined, end)).toBe('open');
  });

  test.each([
    [6 * 3600 * 1000, '6h 00m 00s'],
    [3_605_000, '1h 00m 05s'],
    [3_599_001, '1h 00m 00s'],
    [65_000, '1m 05s'],
    [999, '1s'],
    [0, 'Resetting...'],
    [-5000, 'Resetting...'],
  ])('countdown with %d ms to go says %s', (leftMs, text) => {
    expect(countdown(end, end - leftMs)).toBe(text);
  });
});
