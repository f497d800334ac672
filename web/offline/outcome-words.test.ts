import { expect, test } from 'vitest';
import { castVote } from '#shared/contract/votes.ts';
import { validResponse } from '#shared/testing/valid-response.ts';
import { projectOf, countedVote } from '../testing/made-up.ts';
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
const COUNTED: Fate = { kind: 'counted', response: validResponse(castVote, countedVote(1)) };
const BEFORE: Fate = { kind: 'counted_before' };
const failure = (kind: VoteFailure['kind'], message: string): Fate => ({ kind, code: '', message, retryAfterS: null });
const TWICE = failure('rejected', 'Already voted on this project');
const FULL = failure('returned', 'Rate limit reached');
const told = (...fates: Fate[]) => describeOutcomes(fates.map((fate, at) => ({ vote: voteOn(at + 1), fate })));

test('the notice counts waiting votes', () => {
  expect([1, 3].map(waitingWords)).toEqual(['1 vote waiting to send', '3 votes waiting to send']);
});

test('long lists of projects name the first ones', () => {
  expect([[1], [1, 2], [1, 2, 3, 4]].map((ids) => namesOf(ids.map(voteOn)))).toEqual([
    'Project 1',
    'Project 1 and Project 2',
    'Project 1, Project 2 and 2 others',
  ]);
});

test('only responses add to the reported reward', () => {
  expect(told(COUNTED, COUNTED)).toEqual({
    title: '2 votes counted',
    description: 'Project 1 and Project 2: +20 Snaps.',
    variant: 'success',
  });
  expect(told(BEFORE)).toEqual({ title: '1 vote counted', description: 'Project 1.', variant: 'success' });
  expect(told(COUNTED, BEFORE)).toMatchObject({
    title: '2 votes counted',
    description: 'Project 1 and Project 2: +10 Snaps.',
  });
});

test('each reason is reported once, with the cards that are back', () => {
  expect(told(COUNTED, TWICE, FULL, FULL)).toEqual({
    title: '1 vote counted',
    description:
      'Project 1: +10 Snaps. Project 2: Already voted on this project. Project 3 and Project 4: Rate limit reached. The card is back.',
    variant: 'default',
  });
  expect(told(TWICE)).toMatchObject({ title: 'A waiting vote does not count' });
  expect(told(failure('renamed', 'You saw another name'))?.description).toBe('Project 1: You saw another name.');
});

test('nothing is reported while nothing is decided', () => {
  expect(told()).toBeNull();
  expect(told(failure('retry', 'Bad gateway'))).toBeNull();
});
