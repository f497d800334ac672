import { expect, test } from 'vitest';
import { statsOf, votingStatusOf, apiErrorOf } from '../testing/made-up.ts';
import { countdown, limitPhase, newerStats, newerStatus } from './vote-response.ts';
import { ApiError } from '../lib/api-error.ts';
import { failureOf } from './send-vote.ts';

const EARLY = '2026-01-01T06:00:00.000Z';
const LATE = '2026-01-01T13:00:00.000Z';

test('stats never go back to fewer votes, and equal ones take the newer balance [S4.5]', () => {
  expect(newerStats(statsOf(5), statsOf(4))).toEqual(statsOf(5));
  expect(newerStats(statsOf(5), { ...statsOf(5), tokenBalance: 0 }).tokenBalance).toBe(0);
  expect(newerStats(undefined, statsOf(4))).toEqual(statsOf(4));
});

test('votes left only shrink within a window, and start again with the next [R8 S4.5]', () => {
  expect(newerStatus(votingStatusOf(9, EARLY), votingStatusOf(8, EARLY)).votesRemaining).toBe(16);
  expect(newerStatus(votingStatusOf(9, EARLY), votingStatusOf(10, EARLY)).votesRemaining).toBe(15);
  expect(newerStatus(votingStatusOf(25, EARLY), votingStatusOf(1, LATE)).votesRemaining).toBe(24);
  expect(newerStatus(votingStatusOf(1, LATE), votingStatusOf(25, EARLY)).votesRemaining).toBe(24);
  expect(newerStatus(votingStatusOf(25, EARLY), votingStatusOf(0, null)).votesRemaining).toBe(25);
  expect(newerStatus(votingStatusOf(0, null), votingStatusOf(1, EARLY)).votesRemaining).toBe(24);
});

const end = Date.parse(EARLY);
test('the limit holds at 0 votes until the period ends, then resets [S2.16]', () => {
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
])('a countdown with %d ms left reads %s [S2.16]', (leftMs, text) => {
  expect(countdown(end, end - leftMs)).toBe(text);
});

test('a vote without a response may have arrived', () => {
  expect(failureOf(ApiError.offline(new TypeError('Failed to fetch')))).toMatchObject({ kind: 'lost' });
});

test.each([
  [apiErrorOf(502, 'http_502'), null],
  [apiErrorOf(503, 'vote_failed', 'Why', { retryAfterS: 2 }), 2],
  [apiErrorOf(408, 'http_408'), null],
  [apiErrorOf(429, 'rate_limited', 'Why', { retryAfterS: 30 }), 30],
  [new Error('A crash of our own'), null],
])('a vote can be sent again after %s', (error, retryAfterS) => {
  expect(failureOf(error)).toMatchObject({ kind: 'retry', retryAfterS });
});

test.each(['already_voted', 'project_expired', 'own_project', 'project_not_found'])(
  'a vote is rejected for good with the code %s [R7]',
  (code) => {
    expect(failureOf(apiErrorOf(409, code))).toEqual({ kind: 'rejected', code, message: 'Why', retryAfterS: null });
  },
);

test('a vote is returned beyond the limit and when the server does not understand it [R8]', () => {
  expect(failureOf(apiErrorOf(429, 'vote_limit', 'Why', { retryAfterS: 3600 }))).toMatchObject({
    kind: 'returned',
    retryAfterS: 3600,
  });
  expect(failureOf(apiErrorOf(400, 'bad_request'))).toMatchObject({ kind: 'returned', code: 'bad_request' });
});

test('a vote needs a new sign-in when the session is over', () => {
  expect(failureOf(apiErrorOf(401, 'not_signed_in'))).toMatchObject({ kind: 'no_session' });
});
