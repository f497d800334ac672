import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failedInVitest, failedJourneys, type FailedJourney } from './failed-tests.ts';
import { runSteps } from './run-tests.ts';
import type { SecondRun } from './second-run.ts';
import type { TestStep } from './test-steps.ts';

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(...line.split('\n')));
});
afterEach(() => vi.restoreAllMocks());

const journey: FailedJourney = {
  file: 'deck.e2e.ts',
  line: 7,
  project: 'desktop',
  title: 'deals a card',
  reason: 'no card',
};

function stepThat(...secondReasons: Array<string | null>) {
  const again = vi.fn<() => Promise<SecondRun[]>>(async () => secondReasons.map((reason) => ({ journey, reason })));
  const journeys = secondReasons.map(() => journey);
  const work = async () => ({ passed: 1, failed: journeys.length, skipped: 0, failures: ['deals a card'], journeys });
  return { step: { name: 'Journeys', work, again } satisfies TestStep, again };
}

test('two journeys that pass alone leave the run green, and are named with both results', async () => {
  expect(await runSteps('all', [stepThat(null, null).step])).toBe(true);
  expect(printed.slice(-5)).toEqual([
    'FLAKY, find the cause: deck.e2e.ts [desktop] › deals a card',
    '  first:  no card',
    '  second: passed',
    '',
    '3 passed, 0 failed',
  ]);
});

test('three journeys that pass only alone keep the run red', async () => {
  expect(await runSteps('all', [stepThat(null, null, null).step])).toBe(false);
  expect(printed.at(-1)).toBe('1 passed, 3 failed');
});

test('a journey that fails twice keeps the run red', async () => {
  expect(await runSteps('all', [stepThat('no card again').step])).toBe(false);
  expect(printed).toContain('  second: no card again');
});

test('the short lane, and steps other than journeys, run nothing again', async () => {
  const { step, again } = stepThat(null);
  expect(await runSteps('short', [step])).toBe(false);
  const { again: _, ...withoutAgain } = step;
  expect(await runSteps('all', [withoutAgain])).toBe(false);
  expect(again).not.toHaveBeenCalled();
});

test('a journey that failed in two projects of three is named once for each of the two', () => {
  const ran = (projectName: string, message?: string) => ({
    projectName,
    status: message === undefined ? 'expected' : 'unexpected',
    results: [message === undefined ? {} : { error: { message } }],
  });
  const tests = [ran('desktop', 'no card'), ran('phone', 'no pill'), ran('translated')];
  const spec = { title: 'deals a card', file: 'deck.e2e.ts', line: 7, ok: false, tests };
  const found = failedJourneys({ suites: [{ title: 'deck', specs: [spec] }] });
  expect(found.map(({ project, reason }) => [project, reason])).toEqual([
    ['desktop', 'no card'],
    ['phone', 'no pill'],
  ]);
});

test('a property that failed is named with the seed that repeats it, and the reason', () => {
  const fails = () => {
    throw new Error('3 entries are missing');
  };
  const property = fc.property(fc.nat(), fails);
  const message = fc.defaultReportMessage(fc.check(property, { seed: 7, includeErrorInReport: true })) ?? '';
  const failed = {
    fullName: 'has all entries',
    status: 'failed',
    failureMessages: [`Error: ${message}\n    at a (b.ts:1)`],
  };
  const report = { testResults: [{ name: '/house/a.test.ts', status: 'failed', assertionResults: [failed] }] };
  expect(failedInVitest(report, '/house/')).toEqual([
    expect.stringMatching(
      /^a\.test\.ts › has all entries: Error: Property failed after 1 tests · \{ seed: 7, .+ · Got error: 3 entries are missing$/,
    ),
  ]);
});
