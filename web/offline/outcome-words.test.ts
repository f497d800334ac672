import { expect, test } from 'vitest';
import { castVote } from '#shared/contract/votes.ts';
import { validResponse } from '#shared/testing/valid-response.ts';
import { countedOf, projectOf } from '../testing/made-up.ts';
import type { VoteFailure } from '../voting/send-vote.ts';
import type { Outcome } from '../voting/outcome.ts';
import { describeOutcomes, namesOf, waitingWords } from './outcome-words.ts';

type Fate = Outcome['fate'];

const voteOn = (id: number) => ({
  userId: 7,
  project: projectOf(id),
  voteType: 'bullish' as const,
  castAtMs: id,
  attemptedAtMs: null,
});
const body = countedOf(1);
const COUNTED: Fate = { kind: 'counted', response: validResponse(castVote, body) };
const BEFORE: Fate = { kind: 'counted_before' };
const failure = (kind: VoteFailure['kind'], message: string): Fate => ({ kind, code: '', message, retryAfterS: null });
const TWICE = failure('rejected', 'Already voted on this project');
const FULL = failure('returned', 'Rate limit reached');
const told = (...fates: Fate[]) => describeOutcomes(fates.map((fate, at) => ({ vote: voteOn(at + 1), fate })));

test('the notice says how many votes wait', () => {
  expect([1, 3].map(waitingWords)).toEqual(['1 vote waiting to send', '3 votes waiting to send']);
});

test('the toast names the first two projects and counts the others', () => {
  expect([[1], [1, 2], [1, 2, 3, 4]].map((ids) => namesOf(ids.map(voteOn)))).toEqual([
    'Project 1',
    'Project 1 and Project 2',
    'Project 1, Project 2 and 2 others',
  ]);
});

test('the toast adds up only the rewards in responses', () => {
  expect(told(COUNTED, COUNTED)).toEqual({
    title: '2 waiting votes counted',
    description: '+20 Snaps.',
    variant: 'success',
  });
  expect(told(BEFORE)).toEqual({ title: '1 waiting vote counted', description: '', variant: 'success' });
  expect(told(COUNTED, BEFORE)).toMatchObject({ title: '2 waiting votes counted', description: '+10 Snaps.' });
});

test('the toast gives each reason once and says which cards are back', () => {
  expect(told(COUNTED, TWICE, FULL, FULL)).toEqual({
    title: '1 waiting vote counted',
    description:
      '+10 Snaps. Project 2: Already voted on this project. Project 3 and Project 4: Rate limit reached. The card is back.',
    variant: 'default',
  });
  expect(told(TWICE)).toMatchObject({ title: 'A waiting vote does not count' });
  expect(told(failure('renamed', 'You saw another name'))?.description).toBe('Project 1: You saw another name.');
});

test('no toast is shown when no vote was decided', () => {
  expect(told()).toBeNull();
  expect(told(failure('retry', 'Bad gateway'))).toBeNull();
});
