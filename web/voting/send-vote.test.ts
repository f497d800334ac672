import { describe, expect, test } from 'vitest';
import { ApiError } from '../lib/api-error.ts';
import { failureOf } from './send-vote.ts';

const errorOf = (status: number, code: string, retryAfterS: number | null = null) =>
  new ApiError({ status, code, serverMessage: 'Why', field: null, retryAfterS, body: null });

describe('a vote', () => {
  test('may have arrived when there was no response', () => {
    expect(failureOf(ApiError.offline(new TypeError('Failed to fetch')))).toMatchObject({ kind: 'lost' });
  });

  test.each([
    [errorOf(502, 'http_502'), null],
    [errorOf(503, 'vote_failed', 2), 2],
    [errorOf(408, 'http_408'), null],
    [errorOf(429, 'rate_limited', 30), 30],
    [new Error('A crash of our own'), null],
  ])('can be tried again after %s', (error, retryAfterS) => {
    expect(failureOf(error)).toMatchObject({ kind: 'retry', retryAfterS });
  });

  test.each(['already_voted', 'project_expired', 'own_project', 'project_not_found'])(
    'is rejected for good with the code %s [R7]',
    (code) => {
      expect(failureOf(errorOf(409, code))).toEqual({ kind: 'rejected', code, message: 'Why', retryAfterS: null });
    },
  );

  test('is returned beyond the limit and when the server does not understand it [R8]', () => {
    expect(failureOf(errorOf(429, 'vote_limit', 3600))).toMatchObject({ kind: 'returned', retryAfterS: 3600 });
    expect(failureOf(errorOf(400, 'bad_request'))).toMatchObject({ kind: 'returned', code: 'bad_request' });
  });

  test('needs a new sign-in when the session is over', () => {
    expect(failureOf(errorOf(401, 'not_signed_in'))).toMatchObject({ kind: 'no_session' });
  });
});
