import { describe, expect, test } from 'vitest';
import { ApiError } from '../lib/api-error.ts';
import { fateOf, isThisVote } from './vote-fate.ts';

const errorOf = (status: number, code: string, retryAfterS: number | null = null) =>
  new ApiError({ status, code, serverMessage: 'Why', field: null, retryAfterS, body: null });

describe('a waiting vote that was sent', () => {
  test.each([
    [ApiError.offline(new TypeError('Failed to fetch')), null],
    [errorOf(502, 'http_502'), null],
    [errorOf(503, 'vote_failed', 2), 2],
    [errorOf(408, 'http_408'), null],
    [errorOf(429, 'rate_limited', 30), 30],
    [new Error('A crash of our own'), null],
  ])('goes on waiting after %s', (error, retryAfterS) => {
    expect(fateOf(error)).toEqual({ kind: 'waits', retryAfterS });
  });

  test.each(['already_voted', 'project_expired', 'own_project', 'project_not_found'])(
    'is rejected for good: %s [R7]',
    (code) => {
      expect(fateOf(errorOf(409, code))).toEqual({ kind: 'rejected', code, message: 'Why' });
    },
  );

  test('is given back beyond the limit, and where the server takes it for a mistake [R8]', () => {
    expect(fateOf(errorOf(429, 'vote_limit', 3600))).toMatchObject({ kind: 'returned', retryAfterS: 3600 });
    expect(fateOf(errorOf(400, 'bad_request'))).toMatchObject({ kind: 'returned', code: 'bad_request' });
  });

  test('has no session', () => {
    expect(fateOf(errorOf(401, 'not_signed_in'))).toEqual({ kind: 'no_session' });
  });
});

describe("'Already voted' means this very vote", () => {
  const vote = { voteType: 'bullish' as const, attemptedAtMs: Date.parse('2026-01-01T12:00:00Z') };
  const own = (voteType: string, createdAt: string) => ({ voteType, createdAt });

  test('when it was sent before, in the same direction, and not after the one that counts', () => {
    expect(isThisVote(vote, own('bullish', '2026-01-01T12:00:01Z'))).toBe(true);
    // Clocks differ by a little.
    expect(isThisVote(vote, own('bullish', '2026-01-01T11:59:56Z'))).toBe(true);
  });

  test('not when it was never sent, went the other way, or is newer than the one that counts', () => {
    expect(isThisVote({ ...vote, attemptedAtMs: null }, own('bullish', '2026-01-01T12:00:01Z'))).toBe(false);
    expect(isThisVote(vote, own('bearish', '2026-01-01T12:00:01Z'))).toBe(false);
    expect(isThisVote(vote, own('bullish', '2026-01-01T11:59:54Z'))).toBe(false);
    expect(isThisVote(vote, null)).toBe(false);
  });
});
