import { readFileSync } from 'node:fs';
import path from 'node:path';
import { glob } from 'node:fs/promises';
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

test('journeys make up JSON only in lab/e2e/made-up.ts, where it is checked', async () => {
  const journeys = path.resolve(import.meta.dirname, '../e2e');
  const found: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: journeys })) {
    // Pictures are not tests.
    if (file === 'made-up.ts') continue;
    const calls = readFileSync(path.join(journeys, file), 'utf8').matchAll(/\.fulfill\(\{[^}]*?\bjson\b/g);
    for (const { 0: call } of calls) found.push(`${file}: ${call}`);
  }
  expect(found).toEqual([]);
});
