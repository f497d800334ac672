import { expect, test } from 'vitest';
import { failedInPlaywright, failedInVitest } from './failed-tests.ts';

test('names failed tests of Vitest with their file and the first line of the reason', () => {
  const report = {
    testResults: [
      {
        name: '/home/app/server/votes/votes.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { fullName: 'votes count once', status: 'passed', failureMessages: [] },
          {
            fullName: 'votes end',
            status: 'failed',
            failureMessages: ['\u001B[31mAssertionError: expected 1 to be 2\u001B[39m\n    at file.ts:1'],
          },
        ],
      },
      { name: '/home/app/shared/text.test.ts', status: 'passed', message: '', assertionResults: [] },
    ],
  };
  expect(failedInVitest(report, '/home/app/')).toEqual([
    'server/votes/votes.test.ts › votes end: AssertionError: expected 1 to be 2',
  ]);
});

test('names a file that does not load', () => {
  const message = "\nCannot find package 'x'";
  const file = { name: '/home/app/shared/text.test.ts', status: 'failed', message, assertionResults: [] };
  expect(failedInVitest({ testResults: [file] }, '/home/app/')).toEqual([
    "shared/text.test.ts: Cannot find package 'x'",
  ]);
});

test('names failed journeys at any depth, and what failed before them', () => {
  const spec = (title: string, ok: boolean) => ({
    title,
    file: 'deck.e2e.ts',
    ok,
    tests: [{ projectName: 'phone', results: [ok ? {} : { error: { message: 'Error: timed out\nmore' } }] }],
  });
  const inner = { title: 'inner', specs: [spec('it swipes', false)] };
  const report = {
    suites: [{ title: 'deck.e2e.ts', specs: [spec('it stands', true)], suites: [inner] }],
    errors: [{ message: 'no browser' }],
  };
  expect(failedInPlaywright(report)).toEqual([
    'deck.e2e.ts [phone] › it swipes: Error: timed out',
    'outside of all journeys: no browser',
  ]);
});
