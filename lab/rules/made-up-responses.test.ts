import { expect, test } from 'vitest';
import { getVotingStatus } from '#shared/contract/users.ts';
import { validResponse } from '#shared/testing/valid-response.ts';

const STATUS = { votesRemaining: 24, totalVotes: 1, totalVotesAllowed: 25, periodEndsAt: null };

test('a made-up response has exactly the fields of the contract, with their types', () => {
  expect(validResponse(getVotingStatus, STATUS)).toEqual(STATUS);
  expect(() => validResponse(getVotingStatus, { ...STATUS, votesRemaining: 0.5 })).toThrow('votesRemaining');
  const { periodEndsAt, ...rest } = STATUS;
  expect(() => validResponse(getVotingStatus, rest as typeof STATUS)).toThrow('periodEndsAt');
  const more = { ...STATUS, period: periodEndsAt };
  expect(() => validResponse(getVotingStatus, more)).toThrow('fields that the contract does not name');
});
