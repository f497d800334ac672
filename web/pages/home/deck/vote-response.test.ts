import { describe, expect, test } from 'vitest';
import type { UserStats, VotingStatus } from '#shared/contract/types.ts';
import { countdown, isFinalRejection, limitPhase, newerStats, newerStatus } from './vote-response.ts';

const stats = (totalVotes: number): UserStats => ({
  tokenBalance: totalVotes * 10,
  totalVotes,
  bullishVotes: totalVotes,
  bearishVotes: 0,
  currentStreak: 1,
  bullishPercentage: 100,
  tokensEarned: totalVotes * 10,
  streak: 1,
});
const status = (totalVotes: number, periodEndsAt: string | null): VotingStatus => ({
  votesRemaining: 25 - totalVotes,
  totalVotes,
  totalVotesAllowed: 25,
  periodEndsAt,
});
const EARLY = '2026-01-01T06:00:00.000Z';
const LATE = '2026-01-01T13:00:00.000Z';

describe('responses that overtake each other [S4.5]', () => {
  test('stats never jump back to fewer votes; the same count takes the newer balance', () => {
    expect(newerStats(stats(5), stats(4))).toEqual(stats(5));
    expect(newerStats(stats(5), { ...stats(5), tokenBalance: 0 }).tokenBalance).toBe(0);
    expect(newerStats(undefined, stats(4))).toEqual(stats(4));
  });

  test('votes remaining only shrink within a window, and start again with the next [R8]', () => {
    expect(newerStatus(status(9, EARLY), status(8, EARLY)).votesRemaining).toBe(16);
    expect(newerStatus(status(9, EARLY), status(10, EARLY)).votesRemaining).toBe(15);
    expect(newerStatus(status(25, EARLY), status(1, LATE)).votesRemaining).toBe(24);
    expect(newerStatus(status(1, LATE), status(25, EARLY)).votesRemaining).toBe(24);
    expect(newerStatus(status(25, EARLY), status(0, null)).votesRemaining).toBe(25);
    expect(newerStatus(status(0, null), status(1, EARLY)).votesRemaining).toBe(24);
  });
});

test('tells final rejections from those worth a retry [R7]', () => {
  expect(['already_voted', 'project_expired', 'own_project', 'project_not_found'].every(isFinalRejection)).toBe(true);
  expect(['vote_limit', 'vote_failed', 'offline', 'not_signed_in', 'http_502'].some(isFinalRejection)).toBe(false);
});

describe('limit [S2.16]', () => {
  const end = Date.parse(EARLY);
  test('is reached at 0 votes until the period ends, then resetting until a fresh status', () => {
    expect(limitPhase(status(24, EARLY), end - 1)).toBe('open');
    expect(limitPhase(status(25, EARLY), end - 1)).toBe('limited');
    expect(limitPhase(status(25, EARLY), end)).toBe('resetting');
    expect(limitPhase(status(0, null), end)).toBe('open');
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
